package trivial

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Functions are the names of what the stub leaves to be done, sorted: "Gather", "Pump.Add".
func (l Lab) Functions() ([]string, error) {
	stub, err := parse(l.Stub, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, tree := range stub.trees {
		for fn := range functions(tree) {
			if todo(fn) {
				names = append(names, nameOf(fn))
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// Only is the solution with nothing done but one function: every other that the stub leaves
// to be done is as in the stub. What is unexported stays, because the one may need it.
func (l Lab) Only(name string) (Program, error) {
	return l.undone("only "+name, func(fn string) bool { return fn != name })
}

// Without is the solution with one function as the stub has it.
func (l Lab) Without(name string) (Program, error) {
	return l.undone("without "+name, func(fn string) bool { return fn == name })
}

// undone is the solution without some of what the stub leaves to be done.
func (l Lab) undone(name string, drop func(function string) bool) (Program, error) {
	todo, err := l.Functions()
	if err != nil {
		return Program{}, err
	}
	solution, err := parse(l.Solution, nil)
	if err != nil {
		return Program{}, err
	}
	p := Program{name, map[string][]byte{}}
	dropped := 0
	for file, tree := range solution.trees {
		e := editor{text: solution.files[file], fset: solution.fset}
		for fn := range functions(tree) {
			if n := nameOf(fn); slices.Contains(todo, n) && drop(n) {
				e.replace(fn.Body.Lbrace+1, fn.Body.Rbrace, fmt.Sprintf("\n\tpanic(kit.TODO(%q))\n", n))
				fn.Body.List = nil
				dropped++
			}
		}
		if len(e.edits) > 0 {
			e.imports(tree)
		}
		p.Files[file] = e.apply()
	}
	if dropped == 0 && len(todo) > 1 {
		return p, errNoBody(name)
	}
	return p, nil
}

// imports takes out what no longer is used, and adds the kit.
func (e *editor) imports(tree *ast.File) {
	used := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	kit := false
	for _, spec := range tree.Imports {
		_, name := syntax.Import(spec)
		kit = kit || name == "kit"
		if !used[name] && name != "kit" {
			e.unimport(tree, spec)
		}
	}
	if !kit {
		e.replace(tree.Name.End(), tree.Name.End(), "\n\nimport \"github.com/controllerbook/controllerbook/labs/kit\"\n")
	}
}

// unimport removes one import, and the declaration with it if it is its only one.
func (e *editor) unimport(tree *ast.File, spec *ast.ImportSpec) {
	for _, d := range tree.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT && !d.Lparen.IsValid() && d.Specs[0] == spec {
			e.replace(d.Pos(), d.End(), "")
			return
		}
	}
	e.replace(spec.Pos(), spec.End(), "")
}
