//go:build ignore

// Mistake: The classic: an unbuffered channel of which only the first value is read. Every loser waits for
//   ever to be heard.
// Killed by: first-success-wins
// Verdict: goroutine-leak

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
	var winner *outcome[T]
	for range tasks {
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			return o.value, nil
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}

func start[T any](ctx context.Context, tasks []func(ctx context.Context) (T, error)) <-chan outcome[T] {
	outcomes := make(chan outcome[T])
	for i, task := range tasks {
		go func() {
			value, err := task(ctx)
			outcomes <- outcome[T]{i, value, err}
		}()
	}
	return outcomes
}
