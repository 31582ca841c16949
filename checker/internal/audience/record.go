package audience

import (
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// Record is all grades of one student, as far as their reader may see them.
type Record struct {
	roster.Student
	Grades []Grade
}

// Record makes a record fit for the reader.
func (r Reader) Record(all result.Record) Record {
	shown := Record{Student: all.Student}
	for _, g := range all.Grades {
		shown.Grades = append(shown.Grades, r.Grade(g))
	}
	return shown
}

// Total is the sums over a student's labs.
type Total struct {
	Points, Earned, Max, Undecided int
	Submitted                      bool // something was submitted and judged
}

// Total sums over the labs. A student's total is made here and nowhere else.
func (r Record) Total() Total {
	var sum Total
	for _, g := range r.Grades {
		if g.Status != result.Failed { // whose points are undecided
			sum.Points += g.Points
			sum.Earned += g.Earned
		}
		sum.Max += g.Max
		sum.Undecided += g.Undecided
		sum.Submitted = sum.Submitted || g.Status == result.Graded || g.Status == result.Rejected
	}
	return sum
}
