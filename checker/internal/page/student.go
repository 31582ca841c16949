package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// newStudentPage makes the page of one student. back is where the class's page is, if the
// reader has it.
func newStudentPage(r audience.Record, back string) studentPage {
	total := r.Total()
	p := studentPage{
		Name: displayName(r.Student), ID: nameLine(r.ID), Group: nameLine(r.Group), Back: back, Note: notes[r.Grades[0].To],
		Points: total.Points, Max: total.Max, Undecided: total.Undecided, Foot: foot(r.Grades[0]),
	}
	for _, g := range r.Grades {
		p.Labs = append(p.Labs, newLabSection(g))
	}
	return p
}

// notes say what a page leaves out, for whom.
var notes = map[audience.Audience]string{
	audience.ForStudent: "Of hidden cases this page shows the rule and the place in your code, and not what they put to it.",
}

// foot says what a grade was made with.
func foot(g audience.Grade) string {
	foot := strings.TrimSpace(g.Toolchain.Go + " " + g.Toolchain.OS + " " + g.Toolchain.Arch)
	if g.To != audience.ForStudent {
		if g.Isolation != "" {
			foot += ", isolation: " + g.Isolation
		}
		foot += fmt.Sprintf(", seed %d", g.Seed)
	}
	return "Graded by controllerbook's checker with " + foot + "."
}

func newLabSection(g audience.Grade) labSection {
	number, _, _ := strings.Cut(g.Lab, "-")
	l := labSection{
		Anchor: "lab-" + g.Lab, Number: number, Title: g.Title, Dir: g.Lab,
		Standing: g.Standing, Ours: g.Status == result.Failed, Nothing: g.Status == result.Missing,
		Points: g.Points, Max: g.Max, Undecided: g.Undecided, Mix: mix{},
	}
	if g.Late != nil {
		l.Late = lateness(g.Late)
	}
	if g.CasesTook > 0 && g.To != audience.ForStudent {
		l.Took = explain.Duration(g.CasesTook)
	}
	if g.Refused != nil {
		l.Refused, l.Refusal = newDetail(*g.Refused, conform.Meta{}), g.Refused.Title
	}
	for _, c := range g.Cases {
		l.Mix[c.Verdict.Group()]++
		l.Cases = append(l.Cases, newCaseSection(g, c))
	}
	for i := range l.Cases {
		if l.Cases[i].Detail != nil {
			l.Cases[i].Open = true // the first: the others are folded
			break
		}
	}
	return l
}

// lateness says what lateness cost.
func lateness(l *result.Late) string {
	late := l.Submitted.Sub(l.Deadline).Round(time.Minute)
	return fmt.Sprintf("Handed in %s after the deadline of %s: %d %% taken off %d points.",
		late, l.Deadline.UTC().Format("2006-01-02 15:04 MST"), l.Percent, l.Earned)
}

// newCaseSection makes the section of a case. Where the whole lab was refused only the lab
// says why.
func newCaseSection(g audience.Grade, c audience.Case) caseSection {
	s := caseSection{
		Anchor: g.Lab + "-" + c.Meta.Name, Name: c.Meta.Name, Rule: c.Meta.Rule, Verdict: c.Verdict.Title(), Group: c.Verdict.Group(),
		Points: c.Points, Max: c.Max, Public: c.Meta.Public,
	}
	if c.Verdict == verdict.Pass || g.Refused != nil {
		return s
	}
	s.Detail = newDetail(c.Explain(), c.Meta)
	if c.Took > 0 {
		s.Took = explain.Duration(c.Took)
	}
	return s
}

// newDetail copies an explanation, field by field.
func newDetail(e explain.Explanation, m conform.Meta) *detail {
	d := &detail{
		What: e.What, More: e.More, Output: e.Output, Rule: e.Rule, Why: e.Why,
		Lesson: e.Lesson, Next: e.Next.Do, Again: e.Again, Hints: m.Hint,
	}
	if e.Withheld {
		d.Withheld = audience.Withheld
	}
	if e.Next.At.Line > 0 {
		d.NextAt = explain.Line(e.Next.At)
	}
	for _, p := range e.Places {
		d.Places = append(d.Places, place{Label: p.Label, At: explain.Line(p.At), Func: explain.Func(p.At), Notes: p.Notes})
	}
	for _, f := range e.Facts {
		d.Facts = append(d.Facts, fact(f))
	}
	for _, ev := range e.History {
		d.History = append(d.History, event{At: ev.At, Who: ev.Who, What: ev.What, Back: ev.Back, Broke: ev.Broke, Open: ev.Open, Gap: ev.Gap})
	}
	return d
}
