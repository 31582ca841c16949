package seeded

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// Graph knows which declarations of a solution mention which, and which functions its stub
// has. The others are the solution's own affair: no learner can be sent there.
type Graph struct {
	stub  []string            // "Gather", "Pump.Add"
	users map[string][]string // by declaration: those that mention it
}

// NewGraph reads a solution and its stub. imports knows the types of what the solution imports.
func NewGraph(solution, stub map[string][]byte, imports types.Importer) (*Graph, error) {
	g := &Graph{users: map[string][]string{}}
	for name, text := range stub {
		src, err := parseSource(name, text)
		if err != nil {
			return nil, err
		}
		for _, p := range src.pieces {
			if p.kind == token.FUNC {
				g.stub = append(g.stub, p.key())
			}
		}
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(solution)) {
		file, err := parser.ParseFile(fset, name, solution[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: imports}).Check("solution", fset, files, info); err != nil {
		return nil, fmt.Errorf("check the types of a solution: %w", err)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			g.read(d, info)
		}
	}
	return g, nil
}

// Has reports whether the stub has a function.
func (g *Graph) Has(function string) bool { return slices.Contains(g.stub, function) }

// read notes what a declaration mentions.
func (g *Graph) read(d ast.Decl, info *types.Info) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		g.mentions(funcName(d), d, info)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				g.mentions(spec.Name.Name, spec, info)
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					g.mentions(id.Name, spec, info)
				}
			}
		}
	}
}

func (g *Graph) mentions(user string, d ast.Node, info *types.Info) {
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if name := declared(info.Uses[id]); name != "" && name != user && !slices.Contains(g.users[name], user) {
			g.users[name] = append(g.users[name], user)
		}
		return true
	})
}

// declared is the name of a declaration of the solution: "Gather", "Pump.Add". It is empty
// for a field, for what a function declares, and for other packages.
func declared(o types.Object) string {
	if o == nil || o.Pkg() == nil || o.Pkg().Path() != "solution" {
		return ""
	}
	if fn, ok := o.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil {
			typ := recv.Type()
			if p, ok := typ.(*types.Pointer); ok {
				typ = p.Elem()
			}
			if named, ok := typ.(*types.Named); ok {
				return named.Obj().Name() + "." + fn.Name()
			}
			return ""
		}
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return o.Name()
}

// Leads reports whether somebody who looks where look says finds the mistake of f. A
// function, also one that a few words mention, leads to what it is made of. Words
// alone are trusted to describe what is the solution's own.
func (g *Graph) Leads(look []string, f Fault) bool {
	changed := f.changed()
	places := g.from(changed)
	own := slices.ContainsFunc(changed, func(name string) bool { return !g.Has(name) })
	return slices.ContainsFunc(look, func(entry string) bool {
		words := strings.Fields(entry)
		return len(words) > 1 && own || slices.ContainsFunc(words, func(word string) bool { return slices.Contains(places, word) })
	})
}

// Places are the functions of the stub in which a learner who made the mistake of f would
// find it: those that f changes, and for each that is the solution's own those from which
// one comes to it without passing another.
func (g *Graph) Places(f Fault) []string { return g.from(f.changed()) }

// changed are the functions that f replaces, adds or takes away. What it does to types,
// variables and constants counts only where it does nothing to functions.
func (f Fault) changed() []string {
	functions, others := slices.Clone(f.without), []string(nil)
	for _, p := range f.own.pieces {
		if p.kind == token.FUNC {
			functions = append(functions, p.names...)
		} else {
			others = append(others, p.names...)
		}
	}
	if len(functions) > 0 {
		return functions
	}
	return others
}

// from are the functions of the stub from which one comes to any of the declarations.
func (g *Graph) from(names []string) []string {
	var found []string
	seen := map[string]bool{}
	for open := slices.Clone(names); len(open) > 0; open = open[1:] {
		switch name := open[0]; {
		case seen[name]:
		case g.Has(name):
			found = append(found, name)
		default:
			open = append(open, g.above(name)...)
		}
		seen[open[0]] = true
	}
	slices.Sort(found)
	return found
}

// above are the declarations that lead to name. A method that nobody mentions is called
// through an interface, by those that have its type.
func (g *Graph) above(name string) []string {
	if users := g.users[name]; len(users) > 0 {
		return users
	}
	base, _, _ := strings.Cut(name, ".")
	return g.users[base]
}
