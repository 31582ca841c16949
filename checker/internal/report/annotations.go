package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// WriteAnnotations writes one workflow command of GitHub Actions for each failed case,
// which GitHub shows beside the line of code that it names (ten of a kind in one step).
func WriteAnnotations(w io.Writer, grades []Grade, to Audience) error {
	for i := range grades {
		for _, a := range grades[i].annotations(to) {
			if _, err := fmt.Fprintln(w, a.command()); err != nil {
				return err
			}
		}
	}
	return nil
}

// annotation is one note at one line.
type annotation struct {
	level, title, text string
	at                 outcome.Location
}

func (g *Grade) annotations(to Audience) []annotation {
	if e, refused := g.refusal(); refused {
		return refusalNotes(g.Lab, e)
	}
	if g.Status != Graded {
		level := "error"
		if g.Status == Failed {
			level = "warning" // not about the code
		}
		return []annotation{{level: level, title: g.Lab, text: g.standing(to)}}
	}
	var notes []annotation
	metas := g.metas()
	for i, r := range g.Cases {
		if r.Verdict == verdict.Pass {
			continue
		}
		e := to.explain(metas[i], r)
		a := annotation{"error", r.Case + ": " + e.Title, words(e), r.At}
		if r.Verdict == verdict.CheckerError {
			a.level, a.at = "warning", outcome.Location{}
		}
		notes = append(notes, a)
	}
	return notes
}

// refusalNotes is a note for each place where a lab has to be mended before anything
// can run.
func refusalNotes(lab string, e explain.Explanation) []annotation {
	var notes []annotation
	for _, p := range e.Places {
		notes = append(notes, annotation{"error", lab + ": " + e.Title, strings.Join(append([]string{p.Label}, p.Notes...), "\n"), p.At})
	}
	if len(notes) == 0 {
		notes = append(notes, annotation{"error", lab + ": " + e.Title, words(e), outcome.Location{}})
	}
	return notes
}

// What GitHub takes apart has to be spelt otherwise: percent signs and line ends
// everywhere, colons and commas in properties.
// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (a annotation) command() string {
	properties := ""
	if a.at.File != "" {
		properties = "file=" + property(a.at.File) + ","
		if a.at.Line > 0 {
			properties += fmt.Sprintf("line=%d,", a.at.Line)
		}
	}
	return "::" + a.level + " " + properties + "title=" + property(a.title) + "::" + escapeData.Replace(harmless(a.text))
}

func property(s string) string { return escapeProperty.Replace(harmless(s)) }
