package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// ErrUndecided says that a format has no way to say "not decided" and that somebody
// would get a zero for what is the grader's fault. Nothing was written.
var ErrUndecided = errors.New("not everything could be decided")

// decided refuses grades that hold something undecided.
func decided(grades []Grade) error {
	for i := range grades {
		if n := grades[i].tally().Undecided; n > 0 {
			return fmt.Errorf("%w: the grader failed on %s for %d points; grade it again", ErrUndecided, grades[i].Lab, n)
		}
	}
	return nil
}

// test is one line of any format that lists tests: a case, or what stands for all
// cases of a lab that has none.
type test struct {
	lab, name  string
	verdict    verdict.Verdict
	passed     bool
	public     bool
	score, max int
	text       string
	file       string
	line       int
	took       time.Duration
}

// tests lists the tests of grades. The scores of a lab's tests add up to its points
// before lateness.
func tests(grades []Grade, to Audience) []test {
	var all []test
	for i := range grades {
		g := &grades[i]
		metas := g.metas()
		for k, r := range g.Cases {
			t := test{
				lab: g.Lab, name: harmless(r.Case), verdict: r.Verdict, passed: r.Verdict == verdict.Pass, public: metas[k].Public,
				score: r.Points, max: r.Max, text: g.caseWords(to, metas[k], k), file: harmless(r.At.File), line: r.At.Line, took: to.took(metas[k], r),
			}
			all = append(all, t)
		}
		if g.Status != Graded {
			all = append(all, test{lab: g.Lab, name: "submission", max: g.Max, text: g.standing(to)})
		}
	}
	return all
}

// earned is the points of a grade before lateness: what its tests add up to.
func (g *Grade) earned() int {
	if g.Late != nil {
		return g.Late.Earned
	}
	return g.Points
}

func sum(grades []Grade, of func(*Grade) int) int {
	n := 0
	for i := range grades {
		n += of(&grades[i])
	}
	return n
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// status is a test's in the words that GitHub Classroom and Exercism share.
func status(t test) string {
	switch {
	case t.passed:
		return "pass"
	case t.verdict == verdict.CheckerError:
		return "error"
	}
	return "fail"
}

// worse is the status of two together.
func worse(a, b string) string {
	for _, s := range []string{"error", "fail"} {
		if a == s || b == s {
			return s
		}
	}
	return "pass"
}
