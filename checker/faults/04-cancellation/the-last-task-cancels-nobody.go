//go:build ignore

// Mistake: The place of the winner in the list is taken for the number of outcomes: when the last task in the
//   list wins, nobody seems to be left to be cancelled.
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
	for range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			if o.task < len(tasks)-1 {
				cancel()
			}
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
