package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/report/page"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// group is the colour of a verdict in a chart.
func group(v verdict.Verdict) page.Group { return page.Group(v.Group()) }

// view is the page of one student, as far as the audience may see it. back is where the
// class's page is, if the reader has it.
func (r *record) view(to Audience, back string) page.Student {
	sum := r.tally()
	p := page.Student{
		Name: called(r.Student), ID: shown(r.ID), Group: shown(r.Group), Back: back, Note: notes[to],
		Points: sum.Points, Max: sum.Max, Undecided: sum.Undecided, Foot: r.foot(to),
	}
	for i := range r.grades {
		p.Labs = append(p.Labs, r.grades[i].view(to))
	}
	return p
}

var notes = map[Audience]string{
	ForStudent: "Of hidden cases this page shows the rule and the place in your code, and not what they put to it.",
}

// foot says what the results were made with.
func (r *record) foot(to Audience) string {
	g := r.grades[0]
	foot := strings.TrimSpace(g.Toolchain.Go + " " + g.Toolchain.OS + " " + g.Toolchain.Arch)
	if to != ForStudent {
		if g.Isolation != "" {
			foot += ", isolation: " + g.Isolation
		}
		foot += fmt.Sprintf(", seed %d", g.Seed)
	}
	return "Graded by controllerbook's checker with " + foot + "."
}

func (g *Grade) view(to Audience) page.Lab {
	number, _, _ := strings.Cut(g.Lab, "-")
	l := page.Lab{
		Anchor: "lab-" + g.Lab, Number: number, Title: g.Title, Dir: g.Lab,
		Standing: g.standing(to), Ours: g.Status == Failed, Nothing: g.Status == Missing,
		Points: g.Points, Max: g.Max, Undecided: g.tally().Undecided, Mix: g.mix(),
	}
	if g.Late != nil {
		l.Late = g.Late.sentence()
	}
	if d := took(g.Cases); d > 0 && to != ForStudent {
		l.Took = explain.Duration(d)
	}
	if e, refused := g.refusal(); refused {
		l.Refused, l.Refusal = detail(e, conform.Meta{}), e.Title
	}
	metas := g.metas()
	for i, r := range g.Cases {
		l.Cases = append(l.Cases, caseView(g, to, metas[i], r, l.Refused != nil))
	}
	for i := range l.Cases {
		if l.Cases[i].Detail != nil {
			l.Cases[i].Open = true // the first: the others wait behind their headings
			break
		}
	}
	return l
}

// sentence says what lateness cost.
func (l *Late) sentence() string {
	late := l.Submitted.Sub(l.Deadline).Round(time.Minute)
	return fmt.Sprintf("Handed in %s after the deadline of %s: %d %% taken off %d points.",
		late, l.Deadline.UTC().Format("2006-01-02 15:04 MST"), l.Percent, l.Earned)
}

// mix counts the cases of a grade by their colour.
func (g *Grade) mix() page.Mix {
	m := page.Mix{}
	for _, c := range g.Cases {
		m[group(c.Verdict)]++
	}
	return m
}

// caseView is one case. Where the whole lab was refused the lab says why, once.
func caseView(g *Grade, to Audience, m conform.Meta, r outcome.Result, refused bool) page.Case {
	c := page.Case{
		Anchor: g.Lab + "-" + r.Case, Name: r.Case, Rule: m.Rule, Verdict: r.Verdict.Title(), Group: group(r.Verdict),
		Points: r.Points, Max: r.Max, Public: m.Public,
	}
	if r.Verdict == verdict.Pass || refused {
		return c
	}
	c.Detail = detail(to.explain(m, r), m)
	if d := to.took(m, r); d > 0 {
		c.Took = explain.Duration(d)
	}
	return c
}

// detail takes an explanation over, field by field.
func detail(e explain.Explanation, m conform.Meta) *page.Detail {
	d := &page.Detail{
		What: e.What, More: e.More, Earlier: e.Earlier, Output: e.Output, Rule: e.Rule, Why: e.Why,
		Lesson: e.Lesson, Next: e.Next.Do, Again: e.Again, Hints: m.Hint,
	}
	if e.Withheld {
		d.Withheld = withheld
	}
	if e.Next.At.Line > 0 {
		d.NextAt = explain.Line(e.Next.At)
	}
	for _, p := range e.Places {
		d.Places = append(d.Places, page.Place{Label: p.Label, At: explain.Line(p.At), Func: explain.Func(p.At), Notes: p.Notes})
	}
	for _, f := range e.Facts {
		d.Facts = append(d.Facts, page.Fact(f))
	}
	for _, ev := range e.History {
		d.History = append(d.History, page.Event{At: ev.At, Who: ev.Who, What: ev.What, Back: ev.Back, Broke: ev.Broke, Open: ev.Open})
	}
	return d
}
