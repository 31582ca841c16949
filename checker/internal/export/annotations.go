package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Annotations writes one workflow command of GitHub Actions for each failed case, which
// GitHub shows beside the line of code that it names (ten of a kind in one step).
func Annotations(w io.Writer, r audience.Record) error {
	for _, g := range r.Grades {
		for _, a := range annotations(g) {
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

func annotations(g audience.Grade) []annotation {
	if g.Refused != nil {
		return refusalNotes(g.Lab, *g.Refused)
	}
	if g.Status != result.Graded {
		level := "error"
		if g.Status == result.Failed {
			level = "warning" // not about the code
		}
		return []annotation{{level: level, title: g.Lab, text: g.Standing}}
	}
	var notes []annotation
	for _, c := range g.Cases {
		if c.Verdict == verdict.Pass {
			continue
		}
		e := c.Explain()
		a := annotation{"error", c.Meta.Name + ": " + e.Title, words(e), c.At}
		if c.Verdict == verdict.CheckerError {
			a.level, a.at = "warning", outcome.Location{}
		}
		notes = append(notes, a)
	}
	return notes
}

// refusalNotes makes an annotation for each place that has to be fixed before any case
// of a lab can run.
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

// GitHub gives percent signs and line ends a meaning everywhere, and colons and commas in
// properties. They have to be escaped.
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
