package gate

import "go/ast"

// The names of a subject are resolved by the parser, file by file, and joined here. The
// parser's resolution is marked as deprecated in favour of a type checker, which would
// want the imports; what it gets wrong are the keys of composite literals and names
// of other files. The first do not matter to any rule, object fixes the second.

// index records what the files declare.
func (g *inspection) index() {
	g.decls = map[string]*ast.Object{}
	for _, f := range g.files {
		for name, object := range f.syntax.Scope.Objects {
			g.decls[name] = object
		}
	}
}

// object is what an identifier denotes in the subject, or nil if it is a package, a
// predeclared name, or unknown.
func (g *inspection) object(id *ast.Ident) *ast.Object {
	if id.Obj != nil {
		return id.Obj
	}
	return g.decls[id.Name]
}

// predeclared reports whether e is the predeclared identifier of that name.
func (g *inspection) predeclared(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name && g.object(id) == nil
}

// imported returns the path of the package that e names.
func (g *inspection) imported(f *file, e ast.Expr) (path string, ok bool) {
	id, ok := e.(*ast.Ident)
	if !ok || g.object(id) != nil {
		return "", false
	}
	path, ok = f.imports[id.Name]
	return path, ok
}

// foreign returns the package and the name if e is written package.Name.
func (g *inspection) foreign(f *file, e ast.Expr) (path, name string, ok bool) {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	path, ok = g.imported(f, sel.X)
	return path, sel.Sel.Name, ok
}
