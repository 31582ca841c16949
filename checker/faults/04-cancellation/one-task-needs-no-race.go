//go:build ignore

// Mistake: A single task is called as it is, with the caller's context; there is nobody to win against.
// Killed by: all-fail
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
	if len(tasks) == 1 {
		return tasks[0](ctx)
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
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
