package gate

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

const (
	maxFile    = 256 << 10 // bytes of one file
	maxNesting = 100       // brackets within brackets
	maxNumber  = 400       // digits of a number as written
)

// admit reads one file in steps, each of which makes the next one safe, and reports
// whether it is Go: its size, its encoding, its tokens, its syntax.
func (g *inspection) admit(name string, src []byte) bool {
	if len(src) > maxFile {
		g.addAt(name, 1, 1, Size, "Keep a file below 256 KiB.", "The file is larger than 256 KiB.")
		return false
	}
	if !g.checkEncoding(name, src) {
		return false
	}
	clean, fit := g.checkTokens(name, src)
	if !fit {
		return false
	}
	syntax, err := parser.ParseFile(g.fset, name, src, 0)
	if err != nil {
		if clean { // else a line directive may have moved the place of the error
			g.addSyntax(name, src, err)
		}
		return false
	}
	g.files = append(g.files, &file{name: name, syntax: syntax, imports: map[string]string{}})
	return true
}

// addSyntax notes the first syntax error only: the others are often its echoes.
func (g *inspection) addSyntax(name string, src []byte, err error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		g.addAt(name, 1, 1, Syntax, "", "The file could not be read as Go: "+err.Error()+".")
		return
	}
	first := list[0]
	switch {
	case strings.Contains(first.Msg, "exceeded max"):
		g.addAt(name, first.Pos.Line, first.Pos.Column, Size, "Split the expression.", "The source nests too deep to be read.")
	case len(strings.TrimSpace(string(src))) == 0:
		g.addAt(name, 1, 1, Syntax, "Start again from the stub: checker reset.", "The file is empty.")
	default:
		g.addAt(name, first.Pos.Line, first.Pos.Column, Syntax,
			"Look at this line and the one above it; gofmt names the same place.", "This is not Go: "+first.Msg+".")
	}
}

// checkTokens reads the tokens of a file before the parser sees them: a parser
// recurses into brackets, a scanner does not. It reports whether no directive was
// found, and whether the rest is fit for the parser.
func (g *inspection) checkTokens(name string, src []byte) (clean, fit bool) {
	source := token.NewFileSet().AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(source, src, nil, scanner.ScanComments)
	t := tokens{header: true}
	clean = true
	for {
		pos, tok, lit := s.Scan()
		at := source.PositionFor(pos, false)
		if what := t.order(tok, lit, at.Column); what != "" {
			clean = false
			g.addAt(name, at.Line, at.Column, Directive, directiveHelp(what),
				"The comment "+what+" gives orders to the compiler; labs may not.")
		}
		if message, help := t.tooMuch(tok, lit); message != "" {
			g.addAt(name, at.Line, at.Column, Size, help, message)
			return clean, false
		}
		if tok == token.EOF {
			return clean, true
		}
	}
}

// tokens is what checkTokens remembers from one token to the next.
type tokens struct {
	header bool // before the package clause
	depth  int  // of open brackets
}

// order returns the directive that a token is, or "".
func (t *tokens) order(tok token.Token, lit string, col int) string {
	if tok == token.PACKAGE {
		t.header = false
	}
	if tok != token.COMMENT {
		return ""
	}
	return directive(lit, col, t.header)
}

// tooMuch says why the parser should not see this token, or nothing.
func (t *tokens) tooMuch(tok token.Token, lit string) (message, help string) {
	switch tok {
	case token.INT, token.FLOAT, token.IMAG:
		if len(lit) > maxNumber {
			return "This number has more than 400 digits.", "Write a shorter number."
		}
	case token.LPAREN, token.LBRACK, token.LBRACE:
		if t.depth++; t.depth > maxNesting {
			return "More than 100 brackets are open here.", "Give the inner part a name of its own."
		}
	case token.RPAREN, token.RBRACK, token.RBRACE:
		t.depth--
	}
	return "", ""
}

// maxDepth is how deep syntax may nest without brackets: operators, else-ifs, calls upon calls.
const maxDepth = 500

// checkDepth reports whether the syntax tree is shallow enough to walk by recursion,
// here and in the compiler.
func (g *inspection) checkDepth(f *file) bool {
	depth, ok := 0, true
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			depth--
			return true
		}
		depth++
		if ok && depth > maxDepth {
			ok = false
			g.add(n.Pos(), Size, "Give the inner part a name of its own.", "This nests more than 500 levels deep.")
		}
		return true
	})
	return ok
}
