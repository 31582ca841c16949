//go:build ignore

// Mistake: A winner that is the last to return has nobody left to cancel, so the context stays open when
//   First has returned.
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

	outcomes := start(inner, tasks)
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	for n := range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			if n < len(tasks)-1 {
				cancel()
			}
		}
	}
	if winner == nil {
		cancel()
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
