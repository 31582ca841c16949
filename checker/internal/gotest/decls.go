package gotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// places are where things stand in a subject's source.
type places struct {
	decls   map[string]outcome.Location
	lits    []outcome.Span
	sources map[string]outcome.Source
}

// declarations says where each function, method and type of the subject stands
// ("Gather", "Pump.Add"), and where its function literals are. Files that do not
// parse are passed over. Of the parts the names do not count: a name is the lab's own.
func declarations(s subject.Subject) places {
	decls := map[string]outcome.Location{}
	var lits []outcome.Span
	sources := map[string]outcome.Source{}
	for _, part := range s.Parts {
		known := declarations(part)
		lits = append(lits, known.lits...)
		maps.Copy(sources, known.sources)
	}
	for name, source := range s.Files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		rel := path.Join(s.Path, name)
		sources[rel] = outcome.Source{Ops: syntax.Ops(fset, file), Closes: syntax.Closes(fset, file), Held: syntax.Locked(fset, file), Touches: syntax.Touches(fset, file)}
		line := func(pos token.Pos) int { return fset.Position(pos).Line }
		ast.Inspect(file, func(n ast.Node) bool {
			ident := ""
			switch n := n.(type) {
			case *ast.FuncDecl:
				ident = receiver(n) + n.Name.Name
			case *ast.TypeSpec:
				ident = n.Name.Name
			case *ast.FuncLit:
				lits = append(lits, outcome.Span{File: rel, Start: line(n.Pos()), End: line(n.End())})
			}
			if ident != "" {
				decls[ident] = outcome.Location{File: rel, Line: line(n.Pos()), Func: ident}
			}
			return true
		})
	}
	return places{decls, lits, sources}
}

// receiver is "Pump." for a method of Pump or *Pump[T], "" for a function.
func receiver(d *ast.FuncDecl) string {
	if base, _ := syntax.Receiver(d); base != nil {
		return base.Name + "."
	}
	return ""
}
