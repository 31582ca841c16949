//go:build ignore

// Mistake: An error that says no more than "cancelled" or "too late" is left out when another task has a better one.
// Killed by: all-fail
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"errors"
	"slices"
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
			cancel()
		}
	}
	if winner == nil {
		ended := func(err error) bool {
			return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		}
		if refused := slices.DeleteFunc(slices.Clone(errs), ended); len(refused) > 0 {
			return zero, errors.Join(refused...)
		}
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
