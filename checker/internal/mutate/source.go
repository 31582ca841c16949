package mutate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// Source is a package to make mutants of.
type Source struct {
	Path  string            // its import path
	Files map[string][]byte // by base name

	// Given are the files as they are handed out. A declaration that stands in them as it
	// stands in Files is not for the learner to write, and is left alone.
	Given map[string][]byte
}

// Mutants are the mutants of a package.
type Mutants struct {
	All         []Mutant // those that compile, in the order of the files' names and lines
	NotCompiled int      // how many more do not
}

// Of makes the mutants of a package. imports knows the types of what the package imports.
func Of(src Source, imports types.Importer) (Mutants, error) {
	p := &pkg{path: src.Path, fset: token.NewFileSet(), imports: imports, files: map[string]*file{}}
	for name, text := range src.Files {
		parsed, err := parser.ParseFile(p.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return Mutants{}, err
		}
		p.files[name] = &file{name, text, parsed}
	}
	given, err := givenTexts(src.Given)
	if err != nil {
		return Mutants{}, err
	}
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
	}
	var whole []*ast.File
	for _, f := range p.files {
		whole = append(whole, f.ast)
	}
	if problems := p.check(whole, p.info); len(problems) > 0 {
		return Mutants{}, fmt.Errorf("the package does not compile: %w", problems[0])
	}
	p.written = p.variablesWritten()
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		p.mutateFile(p.files[name], given)
	}
	identify(p.mutants.All)
	return p.mutants, nil
}

// file is one file of the package.
type file struct {
	name string
	text []byte
	ast  *ast.File
}

// pkg is a package that is being mutated.
type pkg struct {
	path    string
	fset    *token.FileSet
	imports types.Importer
	files   map[string]*file
	info    *types.Info
	written map[types.Object]bool

	mutants Mutants
	seen    map[string]bool // mutated texts of the file at hand
}

// check type-checks the package that files are, and returns what the compiler would say.
func (p *pkg) check(files []*ast.File, info *types.Info) []types.Error {
	var problems []types.Error
	conf := types.Config{Importer: p.imports, Error: func(err error) {
		var problem types.Error
		if errors.As(err, &problem) {
			problems = append(problems, problem)
		}
	}}
	_, _ = conf.Check(p.path, p.fset, files, info) // each error has been heard
	return problems
}

// bodiless is a copy of a file in which functions have no bodies, but for the declaration
// at index keep: the bodies of others have been checked, and are most of the work.
func bodiless(f *ast.File, keep int) *ast.File {
	short := *f
	short.Decls = slices.Clone(f.Decls)
	for i, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && i != keep {
			head := *fn
			head.Body = nil
			short.Decls[i] = &head
		}
	}
	return &short
}

// mutateFile makes the mutants of the declarations that are not given.
func (p *pkg) mutateFile(f *file, given map[string]bool) {
	p.seen = map[string]bool{string(f.text): true}
	for i, d := range f.ast.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body != nil && !given[text(f, p.fset, d.Type.Pos(), d.End())] {
				p.walk(f, i, d.Name.Name, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				v, ok := spec.(*ast.ValueSpec)
				if ok && !given[text(f, p.fset, v.Pos(), v.End())] {
					p.walk(f, i, v.Names[0].Name, v)
				}
			}
		}
	}
}

// givenTexts are the texts of the functions, constants and variables of a stub. A function
// begins at its word func: comments do not count.
func givenTexts(files map[string][]byte) (map[string]bool, error) {
	texts := map[string]bool{}
	for name, source := range files {
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		f := &file{name, source, parsed}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				texts[text(f, fset, n.Type.Pos(), n.End())] = true
				return false
			case *ast.ValueSpec:
				texts[text(f, fset, n.Pos(), n.End())] = true
			}
			return true
		})
	}
	return texts, nil
}

func text(f *file, fset *token.FileSet, from, to token.Pos) string {
	return string(f.text[fset.Position(from).Offset:fset.Position(to).Offset])
}

// walk calls every operator at every node below root, which is in the file's declaration
// at index decl.
func (p *pkg) walk(f *file, decl int, name string, root ast.Node) {
	if fn, ok := root.(*ast.FuncDecl); ok {
		if base, _ := syntax.Receiver(fn); base != nil {
			name = base.Name + "." + name
		}
	}
	var above []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		for _, o := range Operators {
			o.apply(&site{pkg: p, file: f, decl: decl, name: name, operator: o.Name, node: n, above: above})
		}
		above = append(above, n)
		return true
	})
}

var (
	unusedVariable = regexp.MustCompile(`^declared and not used: (\w+)$`)
	unusedImport   = regexp.MustCompile(`^"([^"]+)" imported(?: as \w+)? and not used$`)
)

// add adds a mutant if it compiles and is new. A change may leave a variable or an import
// without use, which the compiler refuses: that is no way to notice a mistake, so the
// mutant gets an assignment to the blank identifier, or a blank import.
func (s *site) add(edits []edit, statement bool) {
	problems := s.problems(edits)
	if len(problems) > 0 {
		repaired, ok := s.repair(edits, problems, statement)
		if !ok || len(s.problems(repaired)) > 0 {
			s.mutants.NotCompiled++
			return
		}
		edits = repaired
	}
	mutated := string(splice(s.file.text, edits))
	if s.seen[mutated] {
		return
	}
	s.seen[mutated] = true
	m := Mutant{File: s.file.name, Func: s.name, Operator: s.operator, edits: edits}
	m.describe(s.file.text)
	s.mutants.All = append(s.mutants.All, m)
}

// problems are what the compiler has against the edits.
func (s *site) problems(edits []edit) []types.Error {
	parsed, err := parser.ParseFile(s.fset, s.file.name, splice(s.file.text, edits), parser.SkipObjectResolution)
	if err != nil {
		return []types.Error{{Msg: err.Error()}}
	}
	files := []*ast.File{bodiless(parsed, s.decl)}
	for name, f := range s.files {
		if name != s.file.name {
			files = append(files, bodiless(f.ast, -1))
		}
	}
	mutated := parsed.Decls[s.decl]
	return slices.DeleteFunc(s.check(files, nil), func(problem types.Error) bool {
		if m := unusedImport.FindStringSubmatch(problem.Msg); m != nil {
			return problem.Pos < parsed.Pos() || problem.Pos > parsed.End() || s.importedElsewhere(m[1])
		}
		return problem.Pos < mutated.Pos() || problem.Pos > mutated.End() // of a function without its body
	})
}

// importedElsewhere reports whether the file uses an import outside the declaration at hand.
func (s *site) importedElsewhere(path string) bool {
	here := s.file.ast.Decls[s.decl]
	for ident, o := range s.info.Uses {
		pkg, ok := o.(*types.PkgName)
		if ok && pkg.Imported().Path() == path && s.fset.File(ident.Pos()) == s.fset.File(here.Pos()) &&
			(ident.Pos() < here.Pos() || ident.Pos() > here.End()) {
			return true
		}
	}
	return false
}

// repair uses what the edits left without use. A variable can be used only where a
// statement may stand, which is at the first edit if statement says so.
func (s *site) repair(edits []edit, problems []types.Error, statement bool) ([]edit, bool) {
	repaired := slices.Clone(edits)
	var uses []string
	for _, problem := range problems {
		if m := unusedVariable.FindStringSubmatch(problem.Msg); m != nil && statement {
			uses = append(uses, "_ = "+m[1])
			continue
		}
		m := unusedImport.FindStringSubmatch(problem.Msg)
		if m == nil {
			return nil, false
		}
		repaired = append(repaired, s.blankImport(m[1]))
	}
	if len(uses) > 0 {
		if repaired[0].new != "" {
			uses = append(uses, repaired[0].new)
		}
		repaired[0].new = strings.Join(uses, "; ")
	}
	return inOrder(repaired), true
}

// blankImport makes the import of path one that needs no use.
func (s *site) blankImport(path string) edit {
	for _, spec := range s.file.ast.Imports {
		if p, _ := syntax.Import(spec); p == path {
			return edit{s.offset(spec.Pos()), s.offset(spec.Path.Pos()), blank}
		}
	}
	return edit{}
}
