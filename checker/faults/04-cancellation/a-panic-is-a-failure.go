//go:build ignore

// Mistake: A task that panics counts as one that failed, and the process goes on.
// Killed by: losers-are-waited-for
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"fmt"
)

func start[T any](ctx context.Context, tasks []func(ctx context.Context) (T, error)) <-chan outcome[T] {
	outcomes := make(chan outcome[T], len(tasks))
	for i, task := range tasks {
		go func() {
			o := outcome[T]{task: i}
			defer func() {
				if p := recover(); p != nil {
					o.err = fmt.Errorf("panic: %v", p)
				}
				outcomes <- o
			}()
			o.value, o.err = task(ctx)
		}()
	}
	return outcomes
}
