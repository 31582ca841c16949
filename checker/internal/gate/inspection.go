package gate

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

const (
	maxViolations = 50  // a source can break a rule on each of its lines: nobody reads more
	maxMessage    = 600 // bytes: messages quote the source, which may hold one very long word
)

// inspection is the state of one Check.
type inspection struct {
	rules   Rules
	allowed allowlist
	fset    *token.FileSet
	files   []*file
	found   []Violation

	decls map[string]*ast.Object // package-level names of all files
}

// file is one file of the subject that is Go.
type file struct {
	name    string
	syntax  *ast.File
	imports map[string]string // name by which the file knows a package → its path
}

// checkMissing notes the files of the lab that are not there.
func (g *inspection) checkMissing(files map[string][]byte) {
	for _, name := range g.rules.Files {
		if _, ok := files[name]; !ok {
			g.addAt(name, 1, 1, Missing, "Bring it back with checker reset.", "The file "+name+" is missing.")
		}
	}
}

// add notes a violation at a place of the syntax. Positions are unadjusted: a line
// directive must not blame another file.
func (g *inspection) add(pos token.Pos, kind Kind, help, format string, args ...any) {
	at := g.fset.PositionFor(pos, false)
	g.addAt(at.Filename, at.Line, at.Column, kind, help, fmt.Sprintf(format, args...))
}

func (g *inspection) addAt(name string, line, col int, kind Kind, help, message string) {
	g.found = append(g.found, Violation{
		File: filepath.Base(name), Line: max(line, 1), Col: max(col, 1),
		Kind: kind, Message: printable.Shorten(message, maxMessage, "…"), Help: printable.Shorten(help, maxMessage, "…"),
	})
}

// violations returns what was found, by place, each once.
func (g *inspection) violations() []Violation {
	slices.SortFunc(g.found, Violation.Compare)
	found := slices.Compact(g.found)
	return found[:min(len(found), maxViolations)]
}
