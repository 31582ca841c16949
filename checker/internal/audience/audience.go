// Package audience decides what each reader may see of a result. Whatever writes results
// for people takes a Grade of this package, which holds no more than its reader may know.
package audience

import (
	"fmt"
	"slices"
)

// Audience is who will read what is written.
type Audience string

// The audiences.
const (
	ForTeacher Audience = "teacher" // everything
	ForLearner Audience = "learner" // everything about their own code: it ran on their own machine, or the deadline is over
	ForStudent Audience = "student" // before the deadline: of a hidden case no input, no history, no output
)

// All lists the audiences.
var All = []Audience{ForStudent, ForLearner, ForTeacher}

// Parse finds an audience by its name.
func Parse(name string) (Audience, error) {
	if a := Audience(name); slices.Contains(All, a) {
		return a, nil
	}
	return "", fmt.Errorf("the audience is teacher, learner or student, not %q", name)
}
