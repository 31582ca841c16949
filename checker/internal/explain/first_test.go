package explain

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestTheMostBasicFailureComesFirst(t *testing.T) {
	const public, hidden = true, false
	type run struct {
		public bool
		ended  verdict.Verdict
	}
	for name, c := range map[string]struct {
		runs []run
		want int
	}{
		"none":                            {[]run{{public, verdict.Pass}, {hidden, verdict.Pass}}, -1},
		"the only one":                    {[]run{{public, verdict.Pass}, {hidden, verdict.WrongAnswer}}, 1},
		"what is written before the rest": {[]run{{public, verdict.NotImplemented}, {hidden, verdict.WrongAnswer}}, 1},
		"nothing is written":              {[]run{{public, verdict.Pass}, {public, verdict.NotImplemented}, {hidden, verdict.NotImplemented}}, 1},
		"the public one":                  {[]run{{hidden, verdict.Panic}, {public, verdict.WrongAnswer}}, 1},
		"the one that ends the process":   {[]run{{public, verdict.WrongAnswer}, {public, verdict.Deadlock}, {public, verdict.Panic}, {public, verdict.Panic}}, 2},
		"a race before what it brings":    {[]run{{hidden, verdict.WrongAnswer}, {hidden, verdict.DataRace}}, 1},
		"a leak after its cause":          {[]run{{public, verdict.GoroutineLeak}, {public, verdict.WrongAnswer}}, 1},
		"the order of the lab":            {[]run{{public, verdict.WrongAnswer}, {public, verdict.WrongAnswer}}, 0},
		"the checker's own last":          {[]run{{public, verdict.CheckerError}, {hidden, verdict.GoroutineLeak}}, 1},
		"the checker's own after a stub":  {[]run{{public, verdict.CheckerError}, {hidden, verdict.NotImplemented}}, 1},
		"the checker's own":               {[]run{{public, verdict.Pass}, {hidden, verdict.CheckerError}}, 1},
	} {
		var cases []conform.Meta
		var results []outcome.Result
		for _, r := range c.runs {
			cases = append(cases, conform.Meta{Public: r.public})
			results = append(results, outcome.Result{Verdict: r.ended})
		}
		assert.Equal(t, c.want, First(cases, results), name)
	}
}

func TestARaceOfOthersComesAfterAWrongAnswer(t *testing.T) {
	line := outcome.Location{File: "labs/07-store/store.go", Line: 12}
	for name, c := range map[string]struct {
		race []outcome.Access
		want int
	}{
		"both sides are callers":            {[]outcome.Access{{Op: "write", Main: true}, {Op: "read", Main: true}}, 1},
		"both are in functions of the case": {[]outcome.Access{{At: line, Within: outcome.InCase}, {At: line, Within: outcome.InCase}}, 1},
		"one side is the learner's":         {[]outcome.Access{{Op: "write", Main: true}, {Op: "read", At: line}}, 0},
		"one side may be":                   {[]outcome.Access{{Op: "write", Main: true}, {Op: "read", Unseen: true}}, 0},
		"nobody knows the sides":            {nil, 0},
	} {
		results := []outcome.Result{{Verdict: verdict.DataRace, Race: c.race}, {Verdict: verdict.WrongAnswer}}
		assert.Equal(t, c.want, First(make([]conform.Meta, 2), results), name)
	}
}

func TestEveryVerdictHasItsPlaceAmongFailures(t *testing.T) {
	for _, v := range verdict.All {
		assert.Equal(t, v != verdict.Pass, slices.Contains(basic, v), v)
	}
}

func TestFailuresThatMayHaveTheSameCause(t *testing.T) {
	cases := []conform.Meta{
		{Name: "shown", Func: "Get", Look: []string{"Add", "Done"}},
		{Name: "same-function", Func: "Get"},
		{Name: "looked-for-there", Func: "Add"},
		{Name: "elsewhere", Func: "Len"},
		{Name: "anywhere", Func: "Run", Look: conform.Anywhere},
		{Name: "passes", Func: "Get"},
		{Name: "not-written", Func: "Get"},
	}
	results := make([]outcome.Result, len(cases))
	for i := range results {
		results[i].Verdict = verdict.WrongAnswer
	}
	results[5].Verdict, results[6].Verdict = verdict.Pass, verdict.NotImplemented
	assert.Equal(t, []string{"same-function", "looked-for-there"}, Akin(cases, results, 0))
	assert.Empty(t, Akin(cases, results, 6), "nobody knows anything about what is not written")

	results[0].Verdict, results[3].Verdict = verdict.Panic, verdict.Panic
	results[0].At, results[3].At = here, here
	assert.Contains(t, Akin(cases, results, 0), "elsewhere", "they panicked at the same line")
}
