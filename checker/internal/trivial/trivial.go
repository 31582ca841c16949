// Package trivial writes programs that do nothing of what a lab asks for, from the lab's
// stub: a suite that gives them points gives points for nothing.
package trivial

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Lab is what trivial programs are made of: sources by base name.
type Lab struct {
	Stub     map[string][]byte
	Solution map[string][]byte
	Kit      map[string][]byte // what the lab's files import as kit
}

// Program is a trivial solution of a lab.
type Program struct {
	Name  string // "zeros"
	Files map[string][]byte
}

// kinds are the ways to do nothing. Each is what stands in a body for panic(kit.TODO(…)).
var kinds = []struct {
	name string
	body func(f function) string
}{
	{"zeros", function.zeros},
	{"made", function.made},
	{"echo", function.echo},
	{"closed", function.closed},
	{"called", function.called},
}

// Programs are the stub with all its bodies filled in one of the ways to do nothing:
//
//   - zeros: every function returns zero values.
//   - made: it returns something that is not nil wherever a type of the lab or of the kit
//     can be made, open channels, and no error.
//   - echo: it returns its own arguments where their types fit, and else what made does.
//   - closed: it returns what made does, with every channel closed.
//   - called: it calls each function that it is given, once and at once, and returns zero values.
//
// A program that is the same as an earlier one is left out.
func (l Lab) Programs() ([]Program, error) {
	stub, err := parse(l.Stub, l.Kit)
	if err != nil {
		return nil, err
	}
	var programs []Program
	for _, kind := range kinds {
		files := stub.fill(kind.body)
		if !slices.ContainsFunc(programs, func(p Program) bool { return maps.EqualFunc(p.Files, files, bytes.Equal) }) {
			programs = append(programs, Program{kind.name, files})
		}
	}
	return programs, nil
}

// source is a package as text and as syntax.
type source struct {
	fset  *token.FileSet
	files map[string][]byte
	trees map[string]*ast.File
	types map[string]*typ // of the package by their names, those of the kit as "kit.Name"
}

// typ is a named type.
type typ struct {
	spec    *ast.TypeSpec
	prefix  string          // "kit." where it is the kit's
	methods map[string]bool // what is declared with it as the receiver
}

// parse reads a package, and the types of the kit beside it.
func parse(files, kit map[string][]byte) (*source, error) {
	s := &source{fset: token.NewFileSet(), files: files, types: map[string]*typ{}}
	var err error
	if s.trees, err = s.declare(files, ""); err != nil {
		return nil, err
	}
	_, err = s.declare(kit, "kit.")
	return s, err
}

// declare parses files, and adds their types.
func (s *source) declare(files map[string][]byte, prefix string) (map[string]*ast.File, error) {
	trees := map[string]*ast.File{}
	for name, text := range files {
		file, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees[name] = file
		for _, d := range file.Decls {
			s.add(d, prefix)
		}
	}
	return trees, nil
}

func (s *source) add(d ast.Decl, prefix string) {
	switch d := d.(type) {
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if spec, ok := spec.(*ast.TypeSpec); ok {
				s.typ(prefix + spec.Name.Name).spec = spec
				s.typ(prefix + spec.Name.Name).prefix = prefix
			}
		}
	case *ast.FuncDecl:
		if base, _ := syntax.Receiver(d); base != nil {
			s.typ(prefix + base.Name).methods[d.Name.Name] = true
		}
	}
}

// typ returns the type of that name. Its methods may be met before it.
func (s *source) typ(name string) *typ {
	if s.types[name] == nil {
		s.types[name] = &typ{methods: map[string]bool{}}
	}
	return s.types[name]
}

// fill returns the files with the body of each function that is still to be done replaced.
func (s *source) fill(body func(function) string) map[string][]byte {
	out := map[string][]byte{}
	for name, tree := range s.trees {
		e := editor{text: s.files[name], fset: s.fset}
		for fn := range functions(tree) {
			if todo(fn) {
				e.replace(fn.Body.Lbrace+1, fn.Body.Rbrace, "\n"+body(function{s, name, fn})+"\n")
			}
		}
		e.keepKit(tree)
		out[name] = e.apply()
	}
	return out
}

// functions are the functions and methods of a file that have a body.
func functions(tree *ast.File) func(yield func(*ast.FuncDecl) bool) {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, d := range tree.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !yield(fn) {
				return
			}
		}
	}
}

// todo reports whether a body is what a stub has: panic(kit.TODO("Name")).
func todo(fn *ast.FuncDecl) bool {
	found := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if ok && sel.Sel.Name == "TODO" {
			x, ok := sel.X.(*ast.Ident)
			found = found || ok && x.Name == "kit"
		}
		return true
	})
	return found
}

// nameOf is a function's name as cases spell it: "Gather", "Pump.Add".
func nameOf(fn *ast.FuncDecl) string {
	if base, _ := syntax.Receiver(fn); base != nil {
		return base.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}

// editor replaces pieces of a text.
type editor struct {
	text  []byte
	fset  *token.FileSet
	edits []edit
	tail  string
}

type edit struct {
	from, to int
	text     string
}

func (e *editor) replace(from, to token.Pos, text string) {
	e.edits = append(e.edits, edit{e.fset.Position(from).Offset, e.fset.Position(to).Offset, text})
}

// keepKit keeps the kit in use in a file that nothing but its bodies needed it for.
func (e *editor) keepKit(tree *ast.File) {
	for _, spec := range tree.Imports {
		if _, name := syntax.Import(spec); name == "kit" {
			e.tail = "\nvar _ = kit.TODO\n"
		}
	}
}

// apply returns the text with its edits, which do not overlap.
func (e *editor) apply() []byte {
	slices.SortFunc(e.edits, func(a, b edit) int { return a.from - b.from })
	var b bytes.Buffer
	at := 0
	for _, x := range e.edits {
		b.Write(e.text[at:x.from])
		b.WriteString(x.text)
		at = x.to
	}
	b.Write(e.text[at:])
	b.WriteString(e.tail)
	return b.Bytes()
}

// exported reports whether a name, of a method with its type, can be called by a suite.
func exported(name string) bool {
	_, method, ok := strings.Cut(name, ".")
	if !ok {
		method = name
	}
	return unicode.IsUpper([]rune(method)[0])
}

// errNoBody says that a function of the stub is not in the solution.
func errNoBody(name string) error {
	return fmt.Errorf("the solution has no %s to take the body of", name)
}
