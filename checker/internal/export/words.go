package export

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// maxWords bounds the text of one case in formats made of plain text, in bytes.
const maxWords = 6 << 10

// words is an explanation as plain text, for formats that take nothing else.
func words(e explain.Explanation) string {
	var b strings.Builder
	line := func(format string, args ...any) {
		if text := strings.TrimRight(fmt.Sprintf(format, args...), " \n"); text != "" {
			b.WriteString(text + "\n")
		}
	}
	line("%s", e.What)
	for _, p := range e.Places {
		line("  %s", strings.TrimSpace(p.Label+"  "+explain.Line(p.At)))
		for _, n := range p.Notes {
			line("    %s", n)
		}
	}
	if e.More > 0 {
		line("  and %d more like these", e.More)
	}
	for _, f := range e.Facts {
		line("  %s: %s", f.Name, f.Text)
	}
	for _, ev := range e.History {
		line("  %s", event(ev))
	}
	if e.Output != "" {
		line("Your code printed:\n%s", indented(e.Output))
	}
	if e.Withheld {
		line("%s", audience.Withheld)
	}
	line("%s", titled("Rule", e.Rule))
	line("%s", titled("Why", e.Why))
	line("%s", titled("Next", next(e)))
	return printable.Text(b.String(), maxWords)
}

// caseWords is what plain formats say of a case. The first case of a lab that was refused
// says why: these formats have no other place for it.
func caseWords(g audience.Grade, i int) string {
	if g.Refused != nil && i == 0 {
		return words(*g.Refused)
	}
	return words(g.Cases[i].Explain())
}

func titled(name, text string) string {
	if text == "" {
		return ""
	}
	return name + ": " + text
}

func next(e explain.Explanation) string {
	if e.Next.At.Line > 0 {
		return explain.Line(e.Next.At) + ": " + e.Next.Do
	}
	return e.Next.Do
}

func event(ev explain.Event) string {
	if ev.Gap {
		return ev.What
	}
	text := ev.At + "  " + ev.Who + "  " + ev.What
	if ev.Back != "" {
		text += " → " + ev.Back
	}
	if ev.Broke {
		text = "✗ " + text
	}
	return text
}

func indented(text string) string { return "  | " + strings.ReplaceAll(text, "\n", "\n  | ") }

// harmless makes a text printable that reaches a format by another way than words.
func harmless(s string) string { return printable.Text(strings.TrimSpace(s), maxWords) }
