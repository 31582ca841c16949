package gate

import (
	"errors"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// maxFile is the size of a file in bytes. It bounds all that follows: the parser
// recurses into what is nested, and by itself stops at a depth of 100 000.
const maxFile = 256 << 10

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
	clean := g.checkDirectives(name, src)
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

// checkDirectives notes the comments that give orders to the toolchain. It reads tokens
// and no syntax: an order counts in a file that is not Go, too, for a line directive
// moves the place of the error. It reports whether there is none.
func (g *inspection) checkDirectives(name string, src []byte) (clean bool) {
	source := token.NewFileSet().AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(source, src, nil, scanner.ScanComments)
	clean = true
	header := true // before the package clause
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return clean
		case token.PACKAGE:
			header = false
		case token.COMMENT:
			at := source.PositionFor(pos, false)
			if what := directive(lit, at.Column, header); what != "" {
				clean = false
				g.addAt(name, at.Line, at.Column, Directive, directiveHelp(what),
					"The comment "+what+" gives orders to the compiler; labs may not.")
			}
		}
	}
}
