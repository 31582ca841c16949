package audience_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func see(to audience.Audience, g result.Grade) audience.Grade {
	return audience.Reader{To: to, Book: resulttest.SmallBook()}.Grade(g)
}

func TestParse(t *testing.T) {
	for _, a := range audience.All {
		got, err := audience.Parse(string(a))
		require.NoError(t, err)
		assert.Equal(t, a, got)
	}
	_, err := audience.Parse("everybody")
	assert.ErrorContains(t, err, `"everybody"`)
}

// TestOfAHiddenCaseAStudentSeesTheVerdictAlone takes Ada, whose first case is public.
func TestOfAHiddenCaseAStudentSeesTheVerdictAlone(t *testing.T) {
	for _, to := range audience.All {
		g := see(to, resulttest.Ada())
		for i, c := range g.Cases {
			all := to != audience.ForStudent || i == 0
			assert.Equal(t, resulttest.Ada().Cases[i].Verdict, c.Verdict)
			assert.Equal(t, all, c.Took > 0, "%s, %s: how long it ran", to, c.Meta.Name)
			if c.Verdict != verdict.Pass { // of a pass there is nothing to withhold
				assert.Equal(t, all, !c.Explain().Withheld, "%s, %s", to, c.Meta.Name)
			}
		}
	}
}

func TestAProblemOfTheGradersIsForTeachers(t *testing.T) {
	for to, want := range map[audience.Audience]string{audience.ForTeacher: "the disk is full", audience.ForLearner: "the disk is full", audience.ForStudent: ""} {
		g := see(to, resulttest.Broken())
		assert.Equal(t, want, g.Problem)
		assert.Contains(t, g.Standing, "The grader failed")
		assert.Equal(t, to != audience.ForStudent, strings.Contains(g.Standing, "the disk is full"))
	}
	rejected := resulttest.With(func(g *result.Grade) { g.Status, g.Problem, g.Cases = result.Rejected, "it is a directory", nil })
	assert.Equal(t, "What was handed in could not be read: it is a directory", see(audience.ForStudent, rejected).Standing)
}

func TestACaseThatTheCatalogNoLongerHasKeepsNameAndPoints(t *testing.T) {
	g := see(audience.ForTeacher, resulttest.With(func(g *result.Grade) { g.Cases[1].Case = "gone" }))
	assert.Equal(t, "gone", g.Cases[1].Meta.Name)
	assert.Equal(t, 3, g.Cases[1].Meta.Points)
	assert.False(t, g.Cases[1].Meta.Public)
	assert.Equal(t, "Results stand in the order of the tasks.", g.Cases[0].Meta.Rule)
}

func TestTotal(t *testing.T) {
	late := resulttest.With(func(g *result.Grade) {
		g.Late, g.Points = &result.Late{Submitted: time.Unix(1, 0), Earned: 4, Percent: 50}, 2
	})
	undecided := resulttest.With(func(g *result.Grade) {
		g.Cases[0] = outcome.Result{Case: g.Cases[0].Case, Max: 5, Verdict: verdict.CheckerError}
	})
	missing := resulttest.With(func(g *result.Grade) { g.Status, g.Points, g.Cases = result.Missing, 0, nil })
	total := func(grades ...result.Grade) audience.Total {
		return audience.Reader{To: audience.ForTeacher, Book: resulttest.SmallBook()}.Record(result.Record{Grades: grades}).Total()
	}
	assert.Equal(t, audience.Total{Points: 4 + 2, Earned: 4 + 4, Max: 40, Submitted: true}, total(resulttest.Ada(), late))
	assert.Equal(t, audience.Total{Points: 4, Earned: 4, Max: 20, Undecided: 5, Submitted: true}, total(undecided))
	assert.Equal(t, audience.Total{Max: 40, Undecided: 20}, total(resulttest.Broken(), missing))
}
