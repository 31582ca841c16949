//go:build ignore

// Mistake: The winner's goroutine cancels the others before it says that it has won: a task that succeeds
//   because it was told to stop may be heard first.
// Killed by: losers-are-waited-for
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

	each := make([]func(context.Context) (T, error), len(tasks))
	for i, task := range tasks {
		each[i] = func(ctx context.Context) (T, error) {
			value, err := task(ctx)
			if err == nil {
				cancel()
			}
			return value, err
		}
	}
	outcomes := start(inner, each)
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
