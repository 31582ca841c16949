//go:build ignore

// Mistake: The number of tasks is looked at before ctx: a caller whose ctx has ended gets the error of a
//   caller that made a mistake.
// Killed by: first-heeds-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"errors"
)

func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	var zero T
	if len(tasks) == 0 {
		return zero, ErrNoTasks
	}
	if err := ctx.Err(); err != nil {
		return zero, err
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
