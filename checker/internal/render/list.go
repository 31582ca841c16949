package render

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
)

// State is how far a learner is with a lab.
type State int

// The states of a lab.
const (
	NotStarted State = iota
	InProgress
	Done
)

func (st State) String() string {
	return [...]string{"not started", "in progress", "done"}[st]
}

func (st State) style() style {
	return [...]style{faint, warn, good}[st]
}

// Row is one lab in the list of all.
type Row struct {
	Lab         catalog.Lab
	Points, Max int
	State       State
}

// List writes all labs, how far the learner is, and the command that comes next, "" if
// all labs are done.
func (s *Screen) List(rows []Row, next string) {
	titles, points := 0, 0
	for _, r := range rows {
		titles = max(titles, width(s.safe(r.Lab.Title)))
		points = max(points, len(fmt.Sprintf("%d/%d", r.Points, r.Max)))
	}
	got, most, done, hidden := 0, 0, 0, 0
	for _, r := range rows {
		s.row(r, titles, points)
		got, most = got+r.Points, most+r.Max
		hidden += r.Lab.Withheld().Cases
		if r.State == Done {
			done++
		}
	}
	s.blank()
	s.put(span{fmt.Sprintf("%d/%d points  ", got, most), bold}, span{fmt.Sprintf("%d of %d labs done", done, len(rows)), normal})
	if hidden > 0 {
		s.put(span{fmt.Sprintf("These are the public cases · %d hidden cases are graded in class", hidden), faint})
	}
	if next != "" && !s.o.Keys {
		s.blank()
		s.step(explain.Step{Do: next})
	}
}

func (s *Screen) row(r Row, titles, points int) {
	prefix := fmt.Sprintf("%02d  %s  %*s  ", r.Lab.Number, pad(s.safe(r.Lab.Title), titles), points, fmt.Sprintf("%d/%d", r.Points, r.Max))
	s.write(s.paint.text(span{prefix, normal}))
	state := pad(r.State.String(), 11)
	s.write(s.paint.text(span{state, r.State.style()}))
	column := width(prefix) + width(state) + 2
	lines := s.wrap([]span{{r.Lab.Builds, faint}}, s.width-column)
	if more := s.safe(" …"); s.o.Keys && len(lines) > 1 { // as many labs as there are lines
		lines = s.wrap([]span{{r.Lab.Builds, faint}}, s.width-column-width(more))[:1]
		lines[0] = append(lines[0], span{more, faint})
	}
	for i, line := range lines {
		if i > 0 {
			s.write(pad("", column-2))
		}
		s.write("  ")
		for _, sp := range line {
			s.write(s.paint.text(sp))
		}
		s.end()
	}
}

// Next writes the one thing to do next: a lab, a case, a command.
func (s *Screen) Next(lab catalog.Lab, c conform.Meta, command string) {
	s.put(span{fmt.Sprintf("Lab %02d  ", lab.Number), faint}, span{lab.Title, bold})
	s.put(span{"case    ", faint}, span{c.Name, bold}, span{"(" + c.Func + ")", normal})
	s.put(span{"rule    ", faint}, span{c.Rule, normal})
	s.blank()
	grade := "run " + command
	if s.o.Keys {
		grade = "save it."
	}
	s.step(explain.Step{Do: fmt.Sprintf("Read %s/README.md, work on %s, then %s", lab.LabPath(), c.Func, grade)})
}

// Hint writes the first n hints of a case.
func (s *Screen) Hint(lab catalog.Lab, c conform.Meta, n int) {
	n = max(0, min(n, len(c.Hint)))
	s.put(span{fmt.Sprintf("Lab %02d  ", lab.Number), faint}, span{c.Name, bold}, span{fmt.Sprintf("· hint %d of %d", n, len(c.Hint)), faint})
	s.put(span{"rule    ", faint}, span{c.Rule, normal})
	s.blank()
	for i, h := range c.Hint[:n] {
		look := faint
		if i == n-1 {
			look = normal
		}
		s.put(span{fmt.Sprintf("  %d  ", i+1), bold}, span{h, look})
	}
	s.blank()
	switch {
	case n == len(c.Hint):
		s.para(indent, faint, fmt.Sprintf("There is no further hint. The lesson is %s/README.md.", lab.LabPath()))
	case s.o.Keys:
		s.para(indent, faint, "h gives one more.")
	default:
		s.para(indent, faint, fmt.Sprintf("For one more: checker hint %d %s", lab.Number, c.Name))
	}
}
