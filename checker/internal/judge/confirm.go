package judge

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// patience bounds the processor time that confirming takes. What fails by using up
// its time would use it up again and again, and says the same.
const patience = 90 * time.Second

// confirm runs the cases that failed again, with seeds of their own, and makes
// unstable what then passes: that is for a human to look at.
func (o Order) confirm(ctx context.Context, binary *gotest.Binary, results []outcome.Result) error {
	failed, at, cost := doubtful(o.Cases, results)
	if len(failed) == 0 || cost > patience {
		return nil
	}
	runs := make([][]outcome.Result, len(failed))
	for i := range failed {
		runs[i] = []outcome.Result{results[at[i]]}
	}
	for try := range o.Confirm {
		again, err := binary.RunAll(ctx, failed, o.Seed+uint64(try)+1, 1, func(outcome.Result) {})
		if err != nil {
			return err
		}
		for i, r := range again {
			runs[i] = append(runs[i], r)
		}
	}
	for i := range failed {
		results[at[i]] = outcome.Join(runs[i])
	}
	return nil
}

// doubtful are the cases whose failure could be luck, where they stand, and how long
// they took. That a function is not implemented is no luck, and a failure of the
// checker says nothing.
func doubtful(cases []conform.Meta, results []outcome.Result) (failed []conform.Meta, at []int, cost time.Duration) {
	for i, r := range results {
		switch r.Verdict {
		case verdict.Pass, verdict.NotImplemented, verdict.CheckerError:
			continue
		}
		failed, at, cost = append(failed, cases[i]), append(at, i), cost+r.Took
	}
	return failed, at, cost
}
