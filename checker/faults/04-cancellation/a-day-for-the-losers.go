//go:build ignore

// Mistake: A loser that has not returned a day after the winner never will, so First stops to wait for it.
// Killed by: losers-are-waited-for
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"errors"
	"time"
)

func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if len(tasks) == 0 {
		return zero, ErrNoTasks
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	outcomes := start(inner, tasks)
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	var day <-chan time.Time
	for range tasks {
		select {
		case o := <-outcomes:
			errs[o.task] = o.err
			if o.err == nil && winner == nil {
				winner = &o
				cancel()
				day = time.After(24 * time.Hour)
			}
		case <-day:
			return winner.value, nil
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
