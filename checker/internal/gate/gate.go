// Package gate judges a subject's source by static rules, before anything is compiled.
//
// It is a lexical policy: which packages a lab imports, which comments may stand in
// it, which predeclared names it may call. It reads text and syntax, no types, and
// so it refuses what can be read off one line and says which line that is.
//
// It is the first of several layers, and guards only what the others do not. Source that
// takes the compiler gigabytes or minutes meets the limits of the compiler. What code
// does to its own process ends with that process, which runs one case. Whether the
// exported declarations are the stub's is the compiler's to say.
//
// What it can miss: a write to another package's variable through a pointer that was
// kept (p := http.DefaultClient; p.Transport = …), and what an allowed package can do
// by itself: an allowlist is only as good as its entries.
package gate

import (
	"cmp"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// Kit is the one package of this module that every lab may import, as far as an entry
// of Rules.Imports that lists its members does not narrow it.
const Kit = module + "labs/kit"

// Rules is what one lab allows.
type Rules struct {
	Package string // the package name that every file must have

	// Imports lists the import paths that are allowed beside Kit. An entry may end in
	// a dot and exported names, as in "runtime/debug.Stack" or "runtime.Gosched,NumCPU":
	// then only these members of the package may be used. See also implied.
	Imports []string

	Files []string // names of the files that must be there
}

// Kind names the rule that was broken. Kinds are stable for ever: they stand in results.
type Kind string

// The kinds of violation.
const (
	Missing     Kind = "missing"      // a file of the lab is not there
	Encoding    Kind = "encoding"     // not plain UTF-8 text
	Syntax      Kind = "syntax"       // not Go
	Package     Kind = "package"      // another package name
	Import      Kind = "import"       // an import, or a member of one, that the lab does not allow
	Cgo         Kind = "cgo"          // import "C"
	Assembly    Kind = "assembly"     // a function without a body
	Directive   Kind = "directive"    // a comment that gives orders to the compiler
	Builtin     Kind = "builtin"      // print or println
	GlobalWrite Kind = "global-write" // a write to another package's variable
	API         Kind = "api"          // an exported declaration of the stub is gone or changed: package pins finds these
	Size        Kind = "size"         // larger or nested deeper than is read
)

// Violation is one place where the source breaks one rule. Its JSON stands in results.
type Violation struct {
	File    string `json:"file"`          // base name
	Line    int    `json:"line"`          // 1 if the whole file is meant
	Col     int    `json:"col,omitempty"` // in bytes, from 1
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`        // one sentence: what is wrong
	Help    string `json:"help,omitempty"` // one next step
}

// Compare orders violations by their places.
func (v Violation) Compare(other Violation) int {
	return cmp.Or(strings.Compare(v.File, other.File), cmp.Compare(v.Line, other.Line), cmp.Compare(v.Col, other.Col),
		strings.Compare(v.Message, other.Message))
}

// Check returns every violation found in files (file name → source), in the order of
// their places, or nil. It never panics on any source, and it is cheap: it compiles
// nothing and resolves no imports. Rules about the whole package are judged only once
// every file could be read, so that one missing brace is one message.
func Check(rules Rules, files map[string][]byte) []Violation {
	g := &inspection{rules: rules, fset: token.NewFileSet(), allowed: parseAllowed(rules.Imports)}
	g.checkMissing(files)
	readable := true
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !g.admit(name, files[name]) {
			readable = false
		}
	}
	for _, f := range g.files {
		g.checkPackage(f)
		g.checkImports(f)
	}
	if readable {
		g.checkSource()
	}
	return g.violations()
}

// checkSource applies the rules that need every file of the subject to be readable.
func (g *inspection) checkSource() {
	g.index()
	for _, f := range g.files {
		g.checkBuiltins(f)
		g.checkFunctions(f)
		g.checkMembers(f)
		g.checkWrites(f)
	}
}
