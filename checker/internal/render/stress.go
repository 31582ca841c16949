package render

import (
	"fmt"
	"time"
)

// Stressed is a case that ran many times.
type Stressed struct {
	Subject        string // "01-goroutines solution", "" where all are the same
	Case           string
	Runs, Failures int
	Cost, Longest  time.Duration // processor time of a run, on average and at most
}

// Stress writes a table of cases that ran many times.
func (s *Screen) Stress(title string, rows []Stressed) {
	s.rule(span{title, bold})
	names, subjects := len("case"), 0
	for _, r := range rows {
		names, subjects = max(names, width(r.Case)), max(subjects, width(r.Subject))
	}
	if subjects > 0 {
		subjects += 2
	}
	s.put(span{pad("", subjects) + pad("case", names) + "     runs  failures     cost  at most", faint})
	for _, r := range rows {
		st := normal
		switch {
		case r.Runs == 0:
			st = faint
		case r.Failures > 0:
			st = bad
		}
		s.write(s.paint.text(span{s.inline(fmt.Sprintf("%s%s  %7d  %8d  %7s  %7s", pad(r.Subject, subjects), pad(r.Case, names),
			r.Runs, r.Failures, processor(r.Cost), processor(r.Longest))), st}))
		s.end()
	}
}

// processor is a processor time, in units that let a column be compared.
func processor(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2fs", d.Seconds())
}

// StressFailure says how often a case failed and how to see that again.
func (s *Screen) StressFailure(what, message, replay string) {
	s.Bad(what)
	s.para(2, normal, message)
	s.put(span{"  see it again: ", faint}, span{replay, normal})
}
