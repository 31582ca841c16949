//go:build ignore

// Mistake: The tasks' own goroutines decide which task has won: check and set are two steps, and nothing
//   orders them.
// Killed by: winners-at-once
// Verdict: data-race

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

	var best *outcome[T]
	outcomes := start(inner, tasks, func(o outcome[T]) {
		if o.err == nil && best == nil {
			best = &o
			cancel()
		}
	})
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	for range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		winner = best
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}

func start[T any](ctx context.Context, tasks []func(ctx context.Context) (T, error), won func(outcome[T])) <-chan outcome[T] {
	outcomes := make(chan outcome[T], len(tasks))
	for i, task := range tasks {
		go func() {
			value, err := task(ctx)
			won(outcome[T]{i, value, err})
			outcomes <- outcome[T]{i, value, err}
		}()
	}
	return outcomes
}
