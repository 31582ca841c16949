package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// ErrUndecided says that a format has no way to say "not decided" and that somebody
// would get a zero for what is the grader's fault. Nothing was written.
var ErrUndecided = errors.New("not everything could be decided")

// decided returns ErrUndecided for grades with points that are not decided.
func decided(r audience.Record) error {
	for _, g := range r.Grades {
		if g.Undecided > 0 {
			return fmt.Errorf("%w: the grader failed on %s for %d points; grade it again", ErrUndecided, g.Lab, g.Undecided)
		}
	}
	return nil
}

// test is one line of any format that lists tests: a case, or the one test of a lab that
// has no cases.
type test struct {
	lab, name  string
	verdict    verdict.Verdict
	passed     bool
	public     bool
	score, max int
	text       string
	at         outcome.Location
	took       time.Duration
}

// tests lists the tests of a record. The scores of a lab's tests add up to its points
// before lateness.
func tests(r audience.Record) []test {
	var all []test
	for _, g := range r.Grades {
		for i, c := range g.Cases {
			at := c.At
			at.File = harmless(at.File)
			all = append(all, test{
				lab: g.Lab, name: harmless(c.Meta.Name), verdict: c.Verdict, passed: c.Verdict == verdict.Pass, public: c.Meta.Public,
				score: c.Points, max: c.Max, text: caseWords(g, i), at: at, took: c.Took,
			})
		}
		if g.Status != result.Graded {
			all = append(all, test{lab: g.Lab, name: "submission", max: g.Max, text: g.Standing})
		}
	}
	return all
}

// encode writes v as JSON, indented, with a newline at its end.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// status is a test's status in the words that GitHub Classroom and Exercism share.
func status(t test) string {
	switch {
	case t.passed:
		return "pass"
	case t.verdict == verdict.CheckerError:
		return "error"
	}
	return "fail"
}

// worse is the worse of two statuses.
func worse(a, b string) string {
	for _, s := range []string{"error", "fail"} {
		if a == s || b == s {
			return s
		}
	}
	return "pass"
}
