package gate

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

const (
	maxFile = 256 << 10 // bytes of one file
	maxDeep = 50_000    // open brackets, or tokens without a comma or a semicolon: the parser recurses
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
		g.addAt(name, first.Pos.Line, first.Pos.Column, Size, nestingHelp, nestingMessage)
	case len(strings.TrimSpace(string(src))) == 0:
		g.addAt(name, 1, 1, Syntax, "Start again from the stub: checker reset.", "The file is empty.")
	default:
		g.addAt(name, first.Pos.Line, first.Pos.Column, Syntax,
			"Look at this line and the one above it; gofmt names the same place.", "This is not Go: "+first.Msg+".")
	}
}

// checkTokens notes the comments that give orders to the toolchain. It reads tokens and
// no syntax: an order counts in a file that is not Go, too, for a line directive moves
// the place of the error. It reports whether there is none, and whether the rest may be
// given to the parser, whose stack would grow to hundreds of megabytes otherwise.
func (g *inspection) checkTokens(name string, src []byte) (clean, fit bool) {
	source := token.NewFileSet().AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(source, src, nil, scanner.ScanComments)
	clean = true
	header := true // before the package clause
	var n nesting
	for {
		pos, tok, lit := s.Scan()
		at := source.PositionFor(pos, false)
		switch {
		case tok == token.EOF:
			return clean, true
		case n.tooDeep(tok):
			g.addAt(name, at.Line, at.Column, Size, nestingHelp, nestingMessage)
			return clean, false
		case tok == token.PACKAGE:
			header = false
		case tok == token.COMMENT:
			if what := directive(lit, at.Column, header); what != "" {
				clean = false
				g.addAt(name, at.Line, at.Column, Directive, directiveHelp(what),
					"The comment "+what+" gives orders to the compiler; labs may not.")
			}
		}
	}
}

// nesting bounds how deep the parser has to recurse.
type nesting struct {
	brackets int // open
	run      int // tokens since the last comma or semicolon
}

func (n *nesting) tooDeep(tok token.Token) bool {
	n.run++
	switch tok {
	case token.COMMENT:
		n.run--
	case token.COMMA, token.SEMICOLON:
		n.run = 0
	case token.LPAREN, token.LBRACK, token.LBRACE:
		n.brackets++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		n.brackets--
	}
	return max(n.brackets, n.run) > maxDeep
}

const (
	nestingMessage = "The source nests too deep to be read."
	nestingHelp    = "Give the inner part a name of its own."
)
