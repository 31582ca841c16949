package gate

import (
	"go/token"
	"strings"
)

// directive returns the order that a comment gives to the toolchain, or "". It
// follows the toolchain in where an order counts, so that code commented out
// ("//line := 1", indented) is no order.
func directive(text string, col int, header bool) string {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case strings.HasPrefix(word, "//go:"):
		if !harmless[word] {
			return word
		}
	case text == "//line" || text == "/*line":
	case word == "/*line", word == "//line" && col == 1:
		return word
	case word == "//export" && col == 1 && token.IsIdentifier(strings.TrimSpace(rest)):
		return word
	case header && strings.HasPrefix(text, "//"):
		if fields := strings.Fields(text[2:]); len(fields) > 0 && fields[0] == "+build" {
			return "// +build"
		}
	}
	return ""
}

// harmless lists the go: comments that change nothing a test can see.
var harmless = map[string]bool{"//go:generate": true, "//go:noinline": true, "//go:fix": true}

func directiveHelp(what string) string {
	if what == "//line" {
		return "Delete the comment; if it is prose or code put aside, write a space after the slashes."
	}
	return "Delete the comment: the tests judge plain Go, built as it stands."
}
