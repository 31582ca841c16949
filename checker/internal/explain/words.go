package explain

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Limits on what comes from the subject: it can make a text of any length.
const (
	maxText        = 400 // bytes of a value
	maxMessage     = 800 // bytes of a line of a case's message: the case's own sentences, with values in them
	maxOutputLines = 6
	maxPlaces      = 6
	maxErrors      = 8 // compile errors and violations that are listed
)

// Line is a place in the form that editors and terminals can follow.
func Line(at outcome.Location) string {
	if at.Line == 0 {
		return clip(at.File)
	}
	return fmt.Sprintf("%s:%d", clip(at.File), at.Line)
}

// Func names the function of a place: "Gather", "a function literal in Gather".
func Func(at outcome.Location) string {
	for suffix, what := range map[string]string{
		outcome.Literal: "a function literal", outcome.DeferredCall: "the deferred call", outcome.GoStatement: "the go statement",
	} {
		if name, ok := strings.CutSuffix(" "+at.Func, suffix); ok && name != "" {
			return what + " in " + clip(name)
		} else if ok {
			return what + " outside any function"
		}
	}
	return clip(at.Func)
}

// clip shortens a text of the subject's own making to one line of bounded length.
func clip(s string) string {
	return printable.Shorten(strings.Join(strings.Fields(s), " "), maxText, "…")
}

// clipLines keeps the first n lines of s, with at most so many bytes each, and says how many more lines there are.
func clipLines(s string, n, bytes int) string {
	s = strings.TrimRight(s, "\n")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	kept := lines[:min(n, len(lines))]
	for i, l := range kept {
		kept[i] = printable.Shorten(strings.TrimRight(l, "\r"), bytes, "…")
	}
	text := strings.Join(kept, "\n")
	if more := len(lines) - n; more > 0 {
		text += fmt.Sprintf("\n… and %s", conform.Count(more, "more line"))
	}
	return text
}

// sentence gives a text that has no full stop one, and a capital. One that has is a sentence as it stands: what it begins
// with in lower case is a name, such as ctx.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsRune(".!?", rune(s[len(s)-1])) || strings.HasSuffix(s, "…") {
		return s
	}
	if s[0] >= 'a' && s[0] <= 'z' {
		s = string(s[0]-'a'+'A') + s[1:]
	}
	return s + "."
}
