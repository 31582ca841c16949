package cohort

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// count counts a class in which every grade is another student's.
func count(grades ...result.Grade) *Stats {
	reader := audience.Reader{To: audience.ForTeacher, Book: resulttest.SmallBook()}
	var s Stats
	for i, g := range grades {
		g.Student.ID = fmt.Sprintf("s%03d", i)
		s.Add(reader.Record(result.Record{Student: g.Student, Grades: []result.Grade{g}}))
	}
	return &s
}

// verdicts is Ada with other verdicts for the cases of the small lab.
func verdicts(all ...verdict.Verdict) result.Grade {
	return resulttest.With(func(g *result.Grade) {
		g.Points = 0
		for i, v := range all {
			g.Cases[i] = outcome.Result{Case: g.Cases[i].Case, Max: g.Cases[i].Max, Verdict: v, Passed: 1, Runs: 3}
			if v == verdict.Pass {
				g.Cases[i].Points = g.Cases[i].Max
				g.Points += g.Cases[i].Max
			}
		}
	})
}

func TestCasesAreOrderedByHowManyMissedThem(t *testing.T) {
	s := count(
		verdicts(verdict.WrongAnswer, verdict.Panic, verdict.DataRace, verdict.Pass),
		verdicts(verdict.Pass, verdict.Panic, verdict.CheckerError, verdict.Pass),
		verdicts(verdict.Pass, verdict.Deadlock, verdict.Pass, verdict.Pass),
		resulttest.Refused(), resulttest.Broken(),
	)
	lab := s.Labs()[0]
	var got []string
	for _, c := range lab.Cases() {
		got = append(got, fmt.Sprintf("%s %d/%d %d%% %s", c.Meta.Name, c.Missed, c.Of, c.Percent(), c.HowMissed()))
	}
	assert.Equal(t, []string{
		"waits-for-all 3/3 100% 2 panic, 1 deadlock", "no-race 1/2 50% 1 data race", "keeps-order 1/3 33% 1 wrong answer", "no-tasks 0/3 0% ",
	}, got)
	assert.Equal(t, [4]int{3, 1, 1, 0}, [4]int{lab.Ran, lab.Refused, lab.Failed, lab.Untouched})

	most := s.MostMissed(2)
	assert.Equal(t, "waits-for-all", most[0].Case.Meta.Name, "three times 3 points")
	assert.Equal(t, "no-race", most[1].Case.Meta.Name, "once 8 points")
	assert.Len(t, s.MostMissed(10), 3, "nobody missed the fourth")
}

func TestPointsOfALab(t *testing.T) {
	s := count(
		verdicts(verdict.Pass, verdict.Pass, verdict.Pass, verdict.Pass),
		verdicts(verdict.Pass, verdict.Panic, verdict.Panic, verdict.Panic),
		verdicts(verdict.Panic, verdict.Panic, verdict.Panic, verdict.Panic),
		resulttest.Broken(),
		resulttest.With(func(g *result.Grade) { g.Status, g.Points, g.Cases = result.Missing, 0, nil }),
	)
	lab := s.Labs()[0]
	mid, lowest, highest := lab.Points()
	assert.Equal(t, [3]int{5, 0, 20}, [3]int{mid, lowest, highest})
	assert.Equal(t, 4, lab.Submissions(), "the grader failed on one of them")
	assert.Equal(t, 1, lab.Missing)
	points, of := s.Median()
	assert.Equal(t, [2]int{5, 3}, [2]int{points, of}, "of those who submitted something that was judged")
	assert.Equal(t, Scores{0: 1, 2: 1, 9: 1}, s.Scores)
	assert.Equal(t, 20, s.Undecided)
}

func TestListsOfAttentionAreBounded(t *testing.T) {
	var grades []result.Grade
	for range maxAttention + 5 {
		grades = append(grades, verdicts(verdict.Unstable, verdict.CheckerError, verdict.Pass, verdict.Pass))
	}
	s := count(append(grades, resulttest.Broken())...)
	assert.Equal(t, maxAttention+5, s.Unstable.Count)
	assert.Len(t, s.Unstable.Items, maxAttention)
	assert.Equal(t, "keeps-order (1 of 3 runs passed)", s.Unstable.Items[0].Why)
	assert.Equal(t, maxAttention+6, s.NotGraded.Count)
	assert.Equal(t, "waits-for-all", s.NotGraded.Items[0].Why)
	assert.Zero(t, s.Unreadable.Count)
}

func TestAClassOfNobody(t *testing.T) {
	var s Stats
	assert.Empty(t, s.Labs())
	assert.Empty(t, s.MostMissed(3))
	points, of := s.Median()
	assert.Zero(t, points+of)
}
