//go:build ignore

// Mistake: The winning value is kept in an interface, and nil stands for nobody: a task that succeeds with nil does not win.
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
	var won any
	for range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && won == nil {
			won = o.value
			if won != nil {
				cancel()
			}
		}
	}
	if won == nil {
		return zero, errors.Join(errs...)
	}
	return won.(T), nil
}
