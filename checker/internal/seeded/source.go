package seeded

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// source is a file of Go, and what it declares.
type source struct {
	name   string
	text   []byte
	fset   *token.FileSet
	syntax *ast.File
	pieces []piece
}

// piece is a declaration that can be replaced alone: a function, a method, or one of the
// types, variables and constants of a group.
type piece struct {
	names   []string // "Gather", "Pump.Add"; more than one for var a, b = f()
	kind    token.Token
	counted bool // a constant whose value depends on its place in the group

	file       string
	text       string // without documentation, and without the keyword of a group
	at, to     int    // where text is
	goAt, goTo int    // what goes if it goes: with the documentation, and with a group that is then empty
}

// key is how an error calls the piece.
func (p piece) key() string { return strings.Join(p.names, ", ") }

// alone is the piece as a declaration of its own.
func (p piece) alone() string {
	if p.kind == token.FUNC {
		return p.text
	}
	return p.kind.String() + " " + p.text
}

func parseSource(name string, text []byte) (source, error) {
	s := source{name: name, text: text, fset: token.NewFileSet()}
	var err error
	if s.syntax, err = parser.ParseFile(s.fset, name, text, parser.ParseComments); err != nil {
		return s, err
	}
	for _, d := range s.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			s.add(piece{names: []string{funcName(d)}, kind: token.FUNC}, d.Type.Func, d.End(), begin(d, d.Doc), d.End())
		case *ast.GenDecl:
			s.group(d)
		}
	}
	return s, nil
}

// group adds the types, variables or constants of a declaration.
func (s *source) group(d *ast.GenDecl) {
	counted := d.Tok == token.CONST && slices.ContainsFunc(d.Specs, implicit)
	for _, spec := range d.Specs {
		p := piece{kind: d.Tok, counted: counted}
		var doc *ast.CommentGroup
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			p.names, doc = []string{spec.Name.Name}, spec.Doc
		case *ast.ValueSpec:
			doc = spec.Doc
			for _, id := range spec.Names {
				p.names = append(p.names, id.Name)
			}
		default:
			continue // an import
		}
		goAt, goTo := begin(spec, doc), spec.End()
		if len(d.Specs) == 1 { // the group goes with it
			goAt, goTo = begin(d, d.Doc), d.End()
		}
		s.add(p, spec.Pos(), spec.End(), goAt, goTo)
	}
}

// implicit reports whether a constant has no value of its own, so that its group counts.
func implicit(spec ast.Spec) bool { return len(spec.(*ast.ValueSpec).Values) == 0 }

// begin is where a declaration begins with its documentation.
func begin(n ast.Node, doc *ast.CommentGroup) token.Pos {
	if doc != nil {
		return doc.Pos()
	}
	return n.Pos()
}

func (s *source) add(p piece, at, to, goAt, goTo token.Pos) {
	p.file, p.at, p.to, p.goAt, p.goTo = s.name, s.offset(at), s.offset(to), s.offset(goAt), s.offset(goTo)
	p.text = string(s.text[p.at:p.to])
	s.pieces = append(s.pieces, p)
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func funcName(d *ast.FuncDecl) string {
	if base, _ := syntax.Receiver(d); base != nil {
		return base.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

// used are the names by which the file knows packages and uses them: no declaration of
// the file means them.
func (s *source) used() map[string]bool {
	used := map[string]bool{}
	for _, id := range s.syntax.Unresolved {
		used[id.Name] = true
	}
	return used
}

// unused returns an error for an import that the file does not need.
func (s *source) unused() error {
	used := s.used()
	for _, spec := range s.syntax.Imports {
		if importPath, name := syntax.Import(spec); !used[name] {
			return fmt.Errorf("%s imports %s and does not use it", s.name, importPath)
		}
	}
	return nil
}

// same reports whether two pieces of Go differ in nothing but comments and layout.
func same(a, b string) bool { return slices.Equal(tokens(a), tokens(b)) }

func tokens(text string) []string {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), nil, 0)
	var all []string
	for {
		_, tok, literal := s.Scan()
		switch {
		case tok == token.EOF:
			return all
		case tok == token.SEMICOLON:
			literal = "" // whether it was written or is the end of a line
		case len(all) > 0 && all[len(all)-1] == ";" && (tok == token.RBRACE || tok == token.RPAREN):
			all = all[:len(all)-1] // it makes no difference there
		}
		all = append(all, tok.String()+literal)
	}
}
