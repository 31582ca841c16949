package result

import (
	"errors"
	"fmt"
	"iter"

	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// Record is all grades of one student.
type Record struct {
	roster.Student
	Grades []Grade
}

// ByStudent gathers grades into records, one at a time. The grades of a student must
// stand together, or they become several records.
func ByStudent(grades Grades) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		var current Record
		seen := map[string]bool{}
		for g, err := range grades {
			if err == nil && len(current.Grades) > 0 && g.Student.ID != current.ID {
				if !yield(current, nil) {
					return
				}
				current = Record{}
			}
			if len(current.Grades) == 0 && seen[g.Student.ID] && err == nil {
				err = fmt.Errorf("the grades of %q do not stand together", g.Student.ID)
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			seen[g.Student.ID] = true
			current.Student = g.Student
			current.Grades = append(current.Grades, g)
		}
		if len(current.Grades) > 0 {
			yield(current, nil)
		}
	}
}

// What OneStudent returns for a list of grades that is not one student's.
var (
	ErrNoResults    = errors.New("there are no results")
	ErrManyStudents = errors.New("these are results of more than one student")
)

// OneStudent collects grades that must all be one student's. The error is ErrNoResults,
// ErrManyStudents, or one of the sequence's.
func OneStudent(grades Grades) (Record, error) {
	var r Record
	for g, err := range grades {
		if err != nil {
			return Record{}, err
		}
		if len(r.Grades) > 0 && g.Student.ID != r.ID {
			return Record{}, fmt.Errorf("%w: %s and %s", ErrManyStudents, r.ID, g.Student.ID)
		}
		if len(r.Grades) == 0 {
			r.Student = g.Student
		}
		r.Grades = append(r.Grades, g)
	}
	if len(r.Grades) == 0 {
		return Record{}, ErrNoResults
	}
	return r, nil
}

// Only keeps the grades of one student, or all for "".
func Only(grades Grades, id string) Grades {
	return func(yield func(Grade, error) bool) {
		for g, err := range grades {
			if err == nil && id != "" && g.Student.ID != id {
				continue
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// Join is several sequences of grades, one after the other.
func Join(sources ...Grades) Grades {
	return func(yield func(Grade, error) bool) {
		for _, grades := range sources {
			for g, err := range grades {
				if !yield(g, err) {
					return
				}
			}
		}
	}
}
