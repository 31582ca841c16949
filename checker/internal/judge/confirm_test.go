package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestDoubtful(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts []verdict.Verdict
		again    []int
	}{
		"all passed":         {[]verdict.Verdict{verdict.Pass, verdict.Pass}, nil},
		"a failure":          {[]verdict.Verdict{verdict.Pass, verdict.WrongAnswer}, []int{1}},
		"no luck in these":   {[]verdict.Verdict{verdict.NotImplemented, verdict.CheckerError}, nil},
		"a race":             {[]verdict.Verdict{verdict.Pass, verdict.DataRace, verdict.NotImplemented}, []int{0, 1}},
		"one without an end": {[]verdict.Verdict{verdict.Timeout, verdict.Pass, verdict.WrongAnswer}, []int{0, 2}},
		"many without one":   {[]verdict.Verdict{verdict.Timeout, verdict.Timeout, verdict.WrongAnswer}, []int{2}},
		"a leak, not a race": {[]verdict.Verdict{verdict.Pass, verdict.GoroutineLeak}, []int{1}},
	} {
		var results []outcome.Result
		for _, v := range c.verdicts {
			results = append(results, outcome.Result{Verdict: v})
		}
		_, at, _ := doubtful(make([]conform.Meta, len(results)), results)
		assert.Equal(t, c.again, at, name)
	}
}
