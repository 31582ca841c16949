//go:build ignore

// Mistake: Where no loser is left there is nothing to cancel, and how many tasks are left is counted from 1 in one place and
//   from 0 in the other: a last loser is not cancelled.
// Killed by: first-success-wins
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"errors"
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
	for n := range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			if n == 0 || n < len(tasks)-2 {
				cancel()
			}
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
