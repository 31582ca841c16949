// Package cohort counts how a class did: which cases it missed and how, how many points its
// students have, and which submissions need a teacher's attention.
package cohort

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Stats is the numbers of a class. The zero Stats is a class of nobody. It grows with the
// number of students only by a few words each.
type Stats struct {
	Students    []Student
	Scores      Scores
	Submissions int
	Undecided   int       // points
	NotGraded   Attention // the grader failed
	Unreadable  Attention
	Unstable    Attention

	labs       map[string]*Lab
	toolchains map[string]bool
}

// Student is one student's points.
type Student struct {
	roster.Student
	audience.Total
	Labs map[string]Points // by the lab's directory
}

// Points is what one student has in one lab.
type Points struct {
	Status      result.Status
	Points, Max int
}

// Scores counts students by how many per cent of all points they have: ten bins, the last
// of which includes 100.
type Scores [10]int

// Add counts one student. A student of whom no points can be had does not count.
func (s *Scores) Add(points, max int) {
	if max > 0 {
		s[min(10*points/max, 9)]++
	}
}

// Add counts all grades of one student.
func (s *Stats) Add(r audience.Record) {
	if s.labs == nil {
		s.labs, s.toolchains = map[string]*Lab{}, map[string]bool{}
	}
	student := Student{Student: r.Student, Total: r.Total(), Labs: map[string]Points{}}
	for _, g := range r.Grades {
		student.Labs[g.Lab] = Points{g.Status, g.Points, g.Max}
		s.lab(g).add(g)
		s.flag(g)
		if g.Status != result.Missing {
			s.Submissions++
			s.toolchains[strings.TrimSpace(fmt.Sprintf("%s %s %s %s", g.Toolchain.Go, g.Toolchain.OS, g.Toolchain.Arch, g.Isolation))] = true
		}
	}
	s.Students = append(s.Students, student)
	s.Undecided += student.Undecided
	if student.Submitted {
		s.Scores.Add(student.Points, student.Max)
	}
}

// Labs returns the labs in the order of the book.
func (s *Stats) Labs() []*Lab {
	var labs []*Lab
	for _, dir := range slices.Sorted(maps.Keys(s.labs)) {
		labs = append(labs, s.labs[dir])
	}
	return labs
}

// Toolchains returns each toolchain and isolation with which something was graded.
func (s *Stats) Toolchains() []string { return slices.Sorted(maps.Keys(s.toolchains)) }

// Median returns the median of the students' points, without those who submitted nothing,
// and how many students that is.
func (s *Stats) Median() (points, of int) {
	var all []int
	for _, st := range s.Students {
		if st.Submitted {
			all = append(all, st.Points)
		}
	}
	slices.Sort(all)
	return median(all), len(all)
}

// Missed is a case that somebody missed, and its lab.
type Missed struct {
	Lab  *Lab
	Case *Case
}

// MostMissed returns the n cases that cost the class most points.
func (s *Stats) MostMissed(n int) []Missed {
	var all []Missed
	for _, l := range s.Labs() {
		for _, c := range l.cases {
			if c.Missed > 0 {
				all = append(all, Missed{l, c})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Missed) int { return b.Case.Lost() - a.Case.Lost() })
	return all[:min(len(all), n)]
}

func (s *Stats) lab(g audience.Grade) *Lab {
	l, ok := s.labs[g.Lab]
	if !ok {
		l = &Lab{Dir: g.Lab, Title: g.Title, Verdicts: map[verdict.Verdict]int{}}
		s.labs[g.Lab] = l
	}
	return l
}

// maxAttention bounds each list of submissions that need attention.
const maxAttention = 100

// Attention is a list of submissions that a teacher has to look at.
type Attention struct {
	Count int // Items are the first of them
	Items []Flagged
}

// Flagged is one submission that needs attention, and why.
type Flagged struct {
	Student  roster.Student
	Lab, Why string
}

func (a *Attention) add(g audience.Grade, why string) {
	if why == "" {
		return
	}
	if a.Count++; a.Count <= maxAttention {
		a.Items = append(a.Items, Flagged{g.Student, g.Lab, why})
	}
}

// flag notes a grade that needs attention.
func (s *Stats) flag(g audience.Grade) {
	undecided, unstable := []string{}, []string{}
	for _, c := range g.Cases {
		switch c.Verdict {
		case verdict.CheckerError:
			undecided = append(undecided, c.Meta.Name)
		case verdict.Unstable:
			unstable = append(unstable, fmt.Sprintf("%s (%d of %d runs passed)", c.Meta.Name, c.Passed, c.Runs))
		}
	}
	switch g.Status {
	case result.Failed:
		s.NotGraded.add(g, g.Problem)
	case result.Rejected:
		s.Unreadable.add(g, g.Problem)
	}
	s.NotGraded.add(g, strings.Join(undecided, ", "))
	s.Unstable.add(g, strings.Join(unstable, ", "))
}

// median returns the median of a sorted list, the lower of the two in the middle.
func median[T int | time.Duration](sorted []T) T {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[(len(sorted)-1)/2]
}
