package gate

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"slices"
	"strings"
)

const apiHelp = "Restore the declaration as the stub has it: the tests and the other labs use it."

// surface is what a package declares, by name; methods stand as "Type.Method".
type surface struct {
	files  map[ast.Node]*file
	funcs  map[string]*ast.FuncDecl
	types  map[string]*ast.TypeSpec
	values map[string]value
}

// value is one name of a const or var declaration.
type value struct {
	tok  token.Token
	name *ast.Ident
	typ  ast.Expr // as written, or repeated from a line above
	expr ast.Expr // likewise; nil if none
}

func surfaceOf(files []*file) *surface {
	s := &surface{map[ast.Node]*file{}, map[string]*ast.FuncDecl{}, map[string]*ast.TypeSpec{}, map[string]value{}}
	for _, f := range files {
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				s.files[decl] = f
				s.funcs[funcName(decl)] = decl
			case *ast.GenDecl:
				s.addGroup(f, decl)
			}
		}
	}
	return s
}

func funcName(fn *ast.FuncDecl) string {
	if base, _ := receiver(fn); base != nil {
		return base.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

func (s *surface) addGroup(f *file, gen *ast.GenDecl) {
	var typ ast.Expr
	var exprs []ast.Expr
	for _, spec := range gen.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			s.files[spec] = f
			s.types[spec.Name.Name] = spec
		case *ast.ValueSpec:
			if gen.Tok == token.VAR || len(spec.Values) > 0 {
				typ, exprs = spec.Type, spec.Values
			}
			for i, name := range spec.Names {
				v := value{tok: gen.Tok, name: name, typ: typ}
				if i < len(exprs) {
					v.expr = exprs[i]
				}
				s.files[name] = f
				s.values[name.Name] = v
			}
		}
	}
}

// checkAPI compares the exported declarations of the stub with the subject's. What is
// unexported is the learner's own, and so are more declarations than the stub has.
func (g *inspection) checkAPI() {
	if g.absent || len(g.files) == 0 {
		return // each declaration of a missing file would be missing as well
	}
	var stubs []*file
	for _, name := range slices.Sorted(maps.Keys(g.rules.Stub)) {
		stubs = append(stubs, g.parseStub(name))
	}
	want, got := surfaceOf(stubs), surfaceOf(g.files)
	c := comparison{g, want, got, spellerOf(want), spellerOf(got)}
	for _, f := range stubs {
		for _, decl := range f.syntax.Decls {
			c.compareDecl(f, decl)
		}
	}
}

func (g *inspection) parseStub(name string) *file {
	syntax, err := parser.ParseFile(token.NewFileSet(), name, g.rules.Stub[name], parser.SkipObjectResolution)
	if err != nil {
		panic(fmt.Sprintf("gate: the stub does not parse: %v", err))
	}
	f := &file{name: name, syntax: syntax, imports: map[string]string{}}
	for _, spec := range syntax.Imports {
		path := importPath(spec)
		f.imports[localName(spec, path)] = path
	}
	return f
}

// comparison is one stub beside one subject.
type comparison struct {
	*inspection
	want, got           *surface
	wantSpell, gotSpell speller
}

func (c *comparison) compareDecl(f *file, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		c.compareFunc(f, decl)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					c.compareType(f, spec)
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						c.compareValue(f, c.want.values[name.Name])
					}
				}
			}
		}
	}
}

// compareFunc compares a function or a method. A method may be promoted from an
// embedded field, which syntax cannot follow: the compiler will say if it is not.
func (c *comparison) compareFunc(f *file, want *ast.FuncDecl) {
	base, _ := receiver(want)
	if !want.Name.IsExported() || base != nil && !base.IsExported() {
		return
	}
	got := c.got.funcs[funcName(want)]
	if base != nil {
		typ := c.got.types[base.Name]
		if typ == nil || got == nil && embeds(typ) {
			return
		}
	}
	switch {
	case got == nil:
		c.gone(f, want.Name.Name, show(header(want)))
	case c.wantSpell.function(f, want) != c.gotSpell.function(c.got.files[got], got), !receiverFits(want, got):
		c.changed(got.Name.Pos(), want.Name.Name, show(header(want)))
	}
}

// receiverFits: whatever can be called on a pointer can be called where the method
// wants a value, but not the other way round.
func receiverFits(want, got *ast.FuncDecl) bool {
	if want.Recv == nil || len(got.Recv.List) == 0 {
		return true
	}
	_, wantPointer := ast.Unparen(want.Recv.List[0].Type).(*ast.StarExpr)
	_, gotPointer := ast.Unparen(got.Recv.List[0].Type).(*ast.StarExpr)
	return wantPointer || !gotPointer
}

// embeds reports whether a type could have methods that it does not declare.
func embeds(spec *ast.TypeSpec) bool {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return spec.Assign != token.NoPos
	}
	return slices.ContainsFunc(structure.Fields.List, func(f *ast.Field) bool { return len(f.Names) == 0 })
}

func (c *comparison) compareValue(f *file, want value) {
	got, ok := c.got.values[want.name.Name]
	expected := want.tok.String() + " " + want.name.Name
	if want.typ != nil {
		expected += " " + show(want.typ)
	}
	if want.tok == token.CONST && isLiteral(want.expr) {
		expected += " = " + show(want.expr)
	}
	switch {
	case !ok:
		c.gone(f, want.name.Name, expected)
	case got.tok != want.tok || !c.sameValue(f, want, got):
		c.changed(got.name.Pos(), want.name.Name, expected)
	}
}

// sameValue: the type is as the stub says, where both say one; a constant that the stub
// writes as a literal has not become another literal.
func (c *comparison) sameValue(f *file, want, got value) bool {
	file := c.got.files[got.name]
	if want.tok == token.CONST && got.typ == nil {
		got.typ = conversion(got.expr)
		if want.typ != nil && got.typ == nil {
			return false // no type at all would be another one
		}
	}
	if want.typ != nil && got.typ != nil && c.wantSpell.typ(f, want.typ, nil) != c.gotSpell.typ(file, got.typ, nil) {
		return false
	}
	if want.tok == token.CONST && isLiteral(want.expr) && isLiteral(got.expr) {
		return show(want.expr) == show(got.expr)
	}
	return true
}

// conversion returns the type in "const Block = Policy(0)".
func conversion(e ast.Expr) ast.Expr {
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		return call.Fun
	}
	return nil
}

func isLiteral(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}

func (c *comparison) gone(stub *file, name, expected string) {
	c.addAt(stub.name, 1, 1, API, apiHelp, fmt.Sprintf("%s is gone; the lab needs: %s", name, expected))
}

func (c *comparison) changed(pos token.Pos, name, expected string) {
	c.add(pos, API, apiHelp, "%s is not declared as in the stub; the lab needs: %s", name, expected)
}

// header is a function without its body and its comment.
func header(fn *ast.FuncDecl) *ast.FuncDecl {
	return &ast.FuncDecl{Recv: fn.Recv, Name: fn.Name, Type: fn.Type}
}

// show prints a declaration in Go, on one line.
func show(n ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return fmt.Sprintf("(%v)", err)
	}
	var lines []string
	for line := range strings.Lines(b.String()) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return oneLine.Replace(strings.Join(lines, "; "))
}

// oneLine mends what joining lines by semicolons does at brackets.
var oneLine = strings.NewReplacer("{; ", "{ ", "; }", " }", "(; ", "(", ",; ", ", ")

// receiver returns the type that a method belongs to, and the names that the receiver
// gives to its type parameters.
func receiver(fn *ast.FuncDecl) (base *ast.Ident, params []*ast.Ident) {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return nil, nil
	}
	typ := ast.Unparen(fn.Recv.List[0].Type)
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = ast.Unparen(star.X)
	}
	var args []ast.Expr
	switch t := typ.(type) {
	case *ast.IndexExpr:
		args = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		args = t.Indices
	}
	for _, arg := range args {
		if id, ok := arg.(*ast.Ident); ok {
			params = append(params, id)
		}
	}
	base, _ = uninstantiated(typ).(*ast.Ident)
	return base, params
}
