package similarity

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/syntax"
)

// word is a token as it is compared: what is left of it once names, literals, comments
// and layout are gone.
type word struct {
	text string
	line int
}

// declarations are the words of each top-level declaration of a file. They are kept
// apart so that their order does not matter. Imports and the package clause say nothing
// about who wrote a file, and are left out. Source that does not parse has words too.
func declarations(source []byte) [][]word {
	names := packages(source)
	var all [][]word
	var current []word
	depth := 0
	tokens := scan(source)
	for i, t := range tokens {
		switch t.tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			depth++
		case token.RPAREN, token.RBRACE, token.RBRACK:
			depth--
		case token.FUNC, token.TYPE, token.VAR, token.CONST, token.IMPORT, token.PACKAGE:
			if depth <= 0 {
				all = appendDeclaration(all, current)
				current, depth = nil, 0
			}
		}
		if text := normal(tokens, i, names); text != "" {
			current = append(current, word{text, t.line})
		}
	}
	return appendDeclaration(all, current)
}

func appendDeclaration(all [][]word, d []word) [][]word {
	if len(d) == 0 || d[0].text == "import" || d[0].text == "package" {
		return all
	}
	return append(all, d)
}

type lexeme struct {
	tok  token.Token
	text string
	line int
}

// scan splits a file. Comments are gone, and so are semicolons: most of them are the
// layout's.
func scan(source []byte) []lexeme {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, func(token.Position, string) {}, 0)
	var all []lexeme
	for {
		pos, tok, text := s.Scan()
		switch tok {
		case token.EOF:
			return all
		case token.SEMICOLON, token.COMMENT:
			continue
		}
		all = append(all, lexeme{tok, text, file.Line(pos)})
	}
}

// packages are the names by which a file calls what it imports, with what they stand
// for: an import under another name is no disguise.
func packages(source []byte) map[string]string {
	names := map[string]string{}
	f, err := parser.ParseFile(token.NewFileSet(), "", source, parser.ImportsOnly)
	if err != nil || f == nil {
		return names
	}
	for _, spec := range f.Imports {
		to, name := syntax.Import(spec)
		names[name] = to
	}
	return names
}

// normal is a token as it is compared. A name becomes its position, because a
// copy is often renamed. Names that cannot be chosen stay: those of other packages and the language's.
func normal(tokens []lexeme, i int, packages map[string]string) string {
	t := tokens[i]
	switch {
	case t.tok == token.STRING || t.tok == token.CHAR:
		return `""`
	case t.tok == token.INT || t.tok == token.FLOAT || t.tok == token.IMAG:
		return "0"
	case t.tok != token.IDENT:
		return t.tok.String()
	}
	before, after := at(tokens, i-1), at(tokens, i+1)
	switch {
	case before.tok == token.PERIOD && packages[at(tokens, i-2).text] != "" && at(tokens, i-3).tok != token.PERIOD:
		return "." + t.text
	case before.tok == token.PERIOD && after.tok == token.LPAREN:
		return "method"
	case before.tok == token.PERIOD:
		return "field"
	case after.tok == token.PERIOD && packages[t.text] != "":
		return packages[t.text]
	case predeclared[t.text]:
		return t.text
	case after.tok == token.LPAREN:
		return "call"
	}
	return "name"
}

func at(tokens []lexeme, i int) lexeme {
	if i < 0 || i >= len(tokens) {
		return lexeme{}
	}
	return tokens[i]
}

var predeclared = set(`any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64
	rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil
	append cap clear close complex copy delete imag len make max min new panic print println real recover _`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
