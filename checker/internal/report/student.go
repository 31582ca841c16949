package report

import (
	"fmt"
	"iter"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// record is all grades of one student.
type record struct {
	Student
	grades []Grade
}

// records gathers grades that stand together. A student who comes back is an error:
// whoever reads a page would miss half of it.
func records(grades Grades) iter.Seq2[record, error] {
	return func(yield func(record, error) bool) {
		var now record
		seen := map[string]bool{}
		for g, err := range grades {
			if err == nil && len(now.grades) > 0 && g.Student.ID != now.ID {
				if !yield(now, nil) {
					return
				}
				now = record{}
			}
			if len(now.grades) == 0 && seen[g.Student.ID] && err == nil {
				err = fmt.Errorf("the grades of %q do not stand together", g.Student.ID)
			}
			if err != nil {
				yield(record{}, err)
				return
			}
			seen[g.Student.ID] = true
			now.Student = g.Student
			now.grades = append(now.grades, g)
		}
		if len(now.grades) > 0 {
			yield(now, nil)
		}
	}
}

// tally is a sum of points. Undecided are those that no one can know yet, through no
// fault of the student: they are part of Max.
type tally struct {
	Points, Max, Undecided int
	Handed                 bool // something was handed in and judged
}

func (g *Grade) tally() tally {
	t := tally{Points: g.Points, Max: g.Max, Handed: g.Status == Graded || g.Status == Rejected}
	if g.Status == Failed {
		t.Points, t.Undecided = 0, g.Max
	}
	for _, c := range g.Cases {
		if c.Verdict == verdict.CheckerError {
			t.Undecided += c.Max
		}
	}
	return t
}

// tally sums over the labs. This is the only place where a student's total is made.
func (r *record) tally() tally {
	var sum tally
	for i := range r.grades {
		t := r.grades[i].tally()
		sum.Points += t.Points
		sum.Max += t.Max
		sum.Undecided += t.Undecided
		sum.Handed = sum.Handed || t.Handed
	}
	return sum
}
