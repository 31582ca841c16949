//go:build ignore

// Mistake: With a winner at hand First waits for the losers only until ctx is done, too.
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

	outcomes := start(inner, tasks)
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	for range tasks {
		var stop <-chan struct{}
		if winner != nil {
			stop = ctx.Done()
		}
		select {
		case <-stop:
			return winner.value, nil
		case o := <-outcomes:
			errs[o.task] = o.err
			if o.err == nil && winner == nil {
				winner = &o
				cancel()
			}
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}
