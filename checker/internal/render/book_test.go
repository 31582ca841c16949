package render

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// The texts of the labs are written by many hands: whatever they hold must fit
// the screen and have its words in ASCII.
func TestEveryLabOfTheBookFitsTheScreen(t *testing.T) {
	for _, lab := range catalog.Labs() {
		t.Run(lab.Dir, func(t *testing.T) {
			for _, ascii := range []bool{false, true} {
				var out bytes.Buffer
				tour(New(&out, Options{ASCII: ascii}), lab)
				wellFormed(t, out.String(), ascii)
				assert.NotRegexp(t, `\\[xuU][0-9a-f]{2}`, out.String(), "a text has a rune that the screen has no words for")
			}
		})
	}
}

// tour shows every text of a lab that a learner can meet.
func tour(s *Screen, lab catalog.Lab) {
	s.LabStart(lab)
	for _, c := range lab.Cases {
		r := outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: verdict.Unstable, Max: c.Points, Passed: 99, Runs: 100, Seed: 1 << 62}
		s.CaseLine(c, r)
		s.CaseDetail(explain.Case(c, r))
		s.Hint(lab, c, len(c.Hint))
		s.Next(lab, c, "make lab")
	}
	s.List([]Row{{Lab: lab, Points: 100, Max: 100, State: InProgress}}, "make lab")
}
