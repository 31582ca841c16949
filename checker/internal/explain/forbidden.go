package explain

import (
	"path"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Forbidden explains a lab whose source the gate refused, or the pins of its stub. The violations stand in
// the order of their places; dir is the package's directory.
func Forbidden(dir string, violations []gate.Violation) Explanation {
	e := Explanation{Verdict: verdict.Forbidden, Title: verdict.Forbidden.Title()}
	if len(violations) == 0 {
		return e
	}
	k := kindOf(violations[0].Kind)
	e.Title, e.What, e.Lesson = k.title, k.what, k.lesson
	e.More = max(0, len(violations)-maxErrors)
	for i, v := range violations[:len(violations)-e.More] {
		p := Place{Label: clip(v.Message), At: outcome.Location{File: path.Join(dir, v.File), Line: v.Line}}
		if help := clip(v.Help); i > 0 && help != "" && help != clip(violations[i-1].Help) {
			p.Notes = []string{help} // the first one's help is the next step
		}
		e.Places = append(e.Places, p)
	}
	e.Next = Step{At: e.Places[0].At, Do: sentence(clip(violations[0].Help))}
	return e
}

// refusal is what a kind of violation means.
type refusal struct{ title, what, lesson string }

// refusals are the kinds that are no forbidden constructs but slips.
var refusals = map[gate.Kind]refusal{
	gate.Syntax:   {verdict.CompileError.Title(), "Your code is not Go yet, so no case was run.", ""},
	gate.Encoding: {"unreadable file", "A file of the lab is not plain UTF-8 text, so no case was run.", ""},
	gate.Missing:  {"missing file", "A file of the lab is not there, so no case was run.", ""},
	gate.Package:  {"wrong package", "A file of the lab is not in the lab's package, so no case was run.", ""},
	gate.API: {"changed declaration", "An exported declaration is not the stub's, so no case was run.",
		"The tests, and other labs, call your code by the names and signatures of the stub. What is unexported is yours."},
	gate.Size: {"too large", "The code is more than the checker compiles, so no case was run.", ""},
}

func kindOf(k gate.Kind) refusal {
	if r, ok := refusals[k]; ok {
		return r
	}
	return refusal{
		title: verdict.Forbidden.Title(),
		what:  "Your code uses something that a lab may not, so no case was run.",
		lesson: strings.Join([]string{
			"A lab stands on plain Go and on what it is about.",
			"What reaches past the language would let the tests be fooled, and is refused before anything is compiled.",
		}, " "),
	}
}
