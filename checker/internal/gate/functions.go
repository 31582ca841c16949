package gate

import "go/ast"

// checkBuiltins refuses the predeclared print and println. They write to standard
// error past every recorder, and code that needs no import is easily overlooked.
func (g *inspection) checkBuiltins(f *file) {
	for _, id := range f.syntax.Unresolved {
		if (id.Name == "print" || id.Name == "println") && g.object(id) == nil {
			g.add(id.Pos(), Builtin, "For debugging use fmt.Println.", "The builtin %s writes past the checker.", id.Name)
		}
	}
}

// checkFunctions refuses functions that are written elsewhere than in Go.
func (g *inspection) checkFunctions(f *file) {
	for _, decl := range f.syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if fn.Body == nil {
			g.add(fn.Pos(), Assembly, "Write the body in Go.", "The function %s has no body here.", clip(fn.Name.Name))
		}
	}
}
