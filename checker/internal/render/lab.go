package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// LabStart begins the screen of one lab.
func (s *Screen) LabStart(lab catalog.Lab) {
	s.lab, s.next, s.refused = lab, explain.Step{}, false
	if s.o.Keys {
		return
	}
	s.put(span{fmt.Sprintf("Lab %02d  ", lab.Number), faint}, span{lab.Title, bold})
	s.para(len("Lab 00  "), faint, lab.Builds)
	s.blank()
}

// Remembered says that nothing is run: what follows is the verdict of an earlier time on the
// very same code.
func (s *Screen) Remembered(at time.Time) {
	when := at.Format("15:04")
	if time.Since(at) >= 12*time.Hour {
		when = at.Format("15:04 on 2 January")
	}
	s.para(0, normal, fmt.Sprintf("The verdict of %s on the same code; checker run %d --again runs it anyway.", when, s.lab.Number))
	s.blank()
}

// Wavering says which cases have ended in more than one way with the very same code.
func (s *Screen) Wavering(cases []string) {
	if len(cases) == 0 {
		return
	}
	s.blank()
	s.para(0, warn, fmt.Sprintf("The same code has ended in more than one way before: %s. checker stress %d --case %s counts how often it fails.",
		strings.Join(cases, ", "), s.lab.Number, cases[0]))
}

// mark is how a verdict looks at the head of a line.
func mark(v verdict.Verdict) span {
	switch v.Group() {
	case verdict.Passed:
		return span{"✓", good}
	case verdict.NotBegun:
		return span{"·", faint}
	case verdict.Undecided:
		return span{"?", warn}
	}
	return span{"✗", bad}
}

// CaseLine writes the one line of a case: mark, name, points and verdict.
func (s *Screen) CaseLine(c conform.Meta, r outcome.Result) {
	const markWidth, pointsWidth = 3, 7 // "ok ", "10/10  "
	m := mark(r.Verdict)
	m.text = pad(s.safe(m.text), markWidth)
	name := pad(s.inline(c.Name), s.nameWidth(c.Name)+2)
	s.write("  " + s.paint.text(m) + name + points(r))
	if end := s.safe(ending(r)); end != "" {
		s.write(pad("", pointsWidth-len(points(r))) + s.paint.text(span{end, m.style}))
	}
	s.end()
}

// nameWidth is the width of the lab's longest case name.
func (s *Screen) nameWidth(name string) int {
	longest := width(name)
	for _, c := range s.lab.Cases {
		longest = max(longest, width(c.Name))
	}
	return longest
}

// points is "5/8", or "-/8" where nothing was decided.
func points(r outcome.Result) string {
	if r.Verdict.Standing() == verdict.Unknown {
		return fmt.Sprintf("-/%d", r.Max)
	}
	return fmt.Sprintf("%d/%d", r.Points, r.Max)
}

// ending is what the line of a case says beside its mark.
func ending(r outcome.Result) string {
	switch r.Verdict {
	case verdict.Pass:
		return ""
	case verdict.Unstable:
		return fmt.Sprintf("%s (%d of %d)", explain.Title(r), r.Passed, r.Runs)
	}
	return explain.Title(r)
}

// LabEnd ends the screen of a lab: the score, how many cases ended how, and the
// one next step. after is the command that comes next where everything passed,
// "" after the last lab.
func (s *Screen) LabEnd(lab catalog.Lab, results []outcome.Result, after string) {
	s.blank()
	s.score(lab, results)
	s.blank()
	cases := metas(lab, results)
	first := explain.First(cases, results)
	switch {
	case first >= 0:
		if s.next.Do == "" { // there is no detail on the screen
			s.next = explain.Case(cases[first], results[first]).Next
		}
		s.step(s.next)
		if !s.o.Keys {
			s.para(stepWidth, faint, fmt.Sprintf("make lab-%d grades again · make hint-%d gives a nudge", lab.Number, lab.Number))
		}
	case len(results) < len(lab.Cases):
		s.step(explain.Step{Do: fmt.Sprintf("make lab-%d grades the whole lab.", lab.Number)})
	case after == "":
		s.step(explain.Step{Do: "This was the last lab. `make list` shows what is still open in the others."})
	default:
		s.step(explain.Step{Do: after})
	}
}

// NextStep puts a step, if it says anything, in the place of the one that the detail on the
// screen names.
func (s *Screen) NextStep(step explain.Step) {
	if step.Do != "" {
		s.next = step
	}
}

// metas are the cases that results are of.
func metas(lab catalog.Lab, results []outcome.Result) []conform.Meta {
	cases := make([]conform.Meta, len(results))
	for i, r := range results {
		c, err := lab.Case(r.Case)
		if err != nil {
			c = conform.Meta{Name: r.Case} // a result of another version of the lab
		}
		cases[i] = c
	}
	return cases
}

const stepWidth = 6

// step writes the one next step.
func (s *Screen) step(step explain.Step) {
	label := span{"Next  ", bold}
	if step.At.Line > 0 {
		s.put(label, located(step.At)...)
		label = span{text: strings.Repeat(" ", stepWidth)}
	}
	s.put(label, span{step.Do, normal})
}

// located is a place of the learner's code with its function.
func located(at outcome.Location) []span {
	spans := []span{{explain.Line(at), place}}
	if at.Func != "" {
		spans = append(spans, span{"in " + explain.Func(at), normal})
	}
	return spans
}
