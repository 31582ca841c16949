// Package yields has Go source give way between its statements.
//
// Two steps that ought to be one stand a few nanoseconds apart, and thousands of tries may
// pass before another goroutine gets in between. Source puts a call in between which lets
// another goroutine run, now and then. No goroutine may count on not being interrupted, so
// that right code stays right.
package yields

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// Import is the package of the function that Source puts calls of, nudge.Step.
const Import = catalog.Module + "/checker/nudge"

// name is what a file calls that package: nobody else has a reason to call anything so.
const name = "controllerbook_nudge"

// Source returns src with a call before each statement of a block or a clause. Lines and
// columns stay what they were, for the compiler as for a stack. Source that does not parse
// comes back as it is: the compiler says what is wrong with it.
func Source(src []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", src, parser.SkipObjectResolution)
	if err != nil {
		return src
	}
	at := statements(file)
	if len(at) == 0 {
		return src
	}
	var out bytes.Buffer
	end := 0
	insert := func(pos token.Pos, text string) {
		p := files.PositionFor(pos, false)
		out.Write(src[end:p.Offset])
		fmt.Fprintf(&out, "%s/*line :%d:%d*/", text, p.Line, p.Column)
		end = p.Offset
	}
	insert(file.Name.End(), fmt.Sprintf("; import %s %q", name, Import))
	for _, pos := range at {
		insert(pos, name+".Step();")
	}
	out.Write(src[end:])
	return out.Bytes()
}

// statements are the beginnings of the statements in lists, in the order of the source.
func statements(file *ast.File) []token.Pos {
	var at []token.Pos
	add := func(list []ast.Stmt) {
		for _, s := range list {
			switch s.(type) {
			case *ast.CaseClause, *ast.CommClause, *ast.EmptyStmt: // clauses are the list of a switch or a select
			default:
				at = append(at, s.Pos())
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			add(n.List)
		case *ast.CaseClause:
			add(n.Body)
		case *ast.CommClause:
			add(n.Body)
		}
		return true
	})
	slices.SortFunc(at, cmp.Compare)
	return at
}
