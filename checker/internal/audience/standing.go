package audience

import (
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

// problem is the reason for which a submission was not graded, as far as the reader may
// see it: a problem of the grader's own can quote what hidden cases saw.
func problem(g result.Grade, to Audience) string {
	if g.Status == result.Failed && to == ForStudent {
		return ""
	}
	return g.Problem
}

// maxProblem bounds a reason in a sentence, in bytes.
const maxProblem = 6 << 10

// standing says in a sentence what became of a submission that has no cases.
func standing(g result.Grade, to Audience) string {
	why := printable.Text(strings.TrimSpace(problem(g, to)), maxProblem)
	switch {
	case g.Status == result.Missing:
		return "Nothing was handed in for this lab."
	case g.Status == result.Rejected:
		return "What was handed in could not be read: " + why
	case g.Status == result.Failed && to == ForStudent:
		return "The grader failed, not your submission. It costs you no points, and has to be graded again."
	case g.Status == result.Failed:
		return "The grader failed, not the submission. It costs no points and has to be graded again: " + why
	}
	return ""
}
