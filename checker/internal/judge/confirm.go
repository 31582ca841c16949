package judge

import (
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// patience bounds the processor time that confirming takes.
const patience = 90 * time.Second

// endless is how many cases that did not end in time are believed without another run:
// further runs would use up their time again, and say the same.
const endless = 2

// confirm runs doubtful cases again, with seeds of their own. A case whose runs do not all
// end alike becomes unstable: a teacher has to look at it.
func (o Order) confirm(ctx context.Context, binary *gotest.Binary, results []outcome.Result) error {
	doubted, at, cost := doubtful(o.Cases, results)
	if len(doubted) == 0 || cost > patience {
		return nil
	}
	runs := make([][]outcome.Result, len(doubted))
	for i := range doubted {
		runs[i] = []outcome.Result{results[at[i]]}
	}
	for try := range o.Confirm {
		again, err := binary.RunAll(ctx, doubted, o.Seed+uint64(try)+1, 1, func(outcome.Result) {})
		if err != nil {
			return err
		}
		for i, r := range again {
			runs[i] = append(runs[i], r)
		}
	}
	for i := range doubted {
		results[at[i]] = outcome.Join(runs[i])
	}
	return nil
}

// doubtful returns the cases whose end could be luck, by their positions, and how long they
// took: those that failed and, if there is a data race, those that passed, too. A function
// that is not implemented is no luck, several cases that do not end are none, and a failure
// of the checker says nothing.
func doubtful(cases []conform.Meta, results []outcome.Result) (doubted []conform.Meta, at []int, cost time.Duration) {
	racy := slices.ContainsFunc(results, func(r outcome.Result) bool { return r.Verdict == verdict.DataRace })
	timeouts := 0
	for _, r := range results {
		if r.Verdict == verdict.Timeout {
			timeouts++
		}
	}
	for i, r := range results {
		switch r.Verdict {
		case verdict.NotImplemented, verdict.CheckerError:
			continue
		case verdict.Timeout:
			if timeouts >= endless {
				continue
			}
		case verdict.Pass:
			if !racy {
				continue
			}
		}
		doubted, at, cost = append(doubted, cases[i]), append(at, i), cost+r.Took
	}
	return doubted, at, cost
}
