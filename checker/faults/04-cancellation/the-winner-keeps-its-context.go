//go:build ignore

// Mistake: Each task has a context of its own, and the winner cancels those of the others: its own can wait until First returns.
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
	outcomes := make(chan outcome[T], len(tasks))
	cancels := make([]context.CancelFunc, len(tasks))
	for i, task := range tasks {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		cancels[i] = cancel
		go func() {
			value, err := task(inner)
			outcomes <- outcome[T]{i, value, err}
		}()
	}
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	for range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			for i, cancel := range cancels {
				if i != o.task {
					cancel()
				}
			}
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
