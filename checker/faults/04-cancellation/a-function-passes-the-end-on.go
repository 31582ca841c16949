//go:build ignore

// Mistake: The context of the tasks has the values and the deadline of ctx, and a function cancels it with ctx:
//   the cause is lost.
// Killed by: first-heeds-ctx
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
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if at, ok := ctx.Deadline(); ok {
		inner, cancel = context.WithDeadline(context.WithoutCancel(ctx), at)
	}
	defer context.AfterFunc(ctx, cancel)()
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
