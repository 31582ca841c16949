//go:build ignore

// Mistake: An error that wraps the error of a ctx that has ended is taken for its echo. It may be that of the task's own request, which failed before.
// Killed by: first-error-wins
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"errors"
	"sync"
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	if limit <= 0 || limit > len(tasks) {
		limit = len(tasks)
	}
	slots := make(chan struct{}, limit)
	results := make([]T, len(tasks))
	var (
		wg    sync.WaitGroup
		once  sync.Once
		first error
	)
	fail := func(err error) {
		once.Do(func() {
			first = err
			cancel()
		})
	}
	stopped := false
	for i, task := range tasks {
		if !acquire(inner, slots) {
			stopped = true
			fail(inner.Err())
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			value, err := call(inner, task)
			if err != nil {
				fail(err)
				return
			}
			results[i] = value
		})
	}
	wg.Wait()
	if stopped && ctx.Err() != nil && errors.Is(first, context.Canceled) {
		return nil, ctx.Err()
	}
	if first != nil {
		return nil, first
	}
	return results, nil
}
