//go:build ignore

// Mistake: With next to no time left before the deadline no task would end in time, so none is started.
// Killed by: first-heeds-ctx
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
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < time.Millisecond {
		return zero, context.DeadlineExceeded
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
