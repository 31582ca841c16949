//go:build ignore

// Mistake: A single task is run by the caller's goroutine, to save a go statement: Gather promises a goroutine of its own.
// Killed by: reaches-limit
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	if limit <= 0 || limit > len(tasks) {
		limit = len(tasks)
	}
	if len(tasks) == 1 && ctx.Err() == nil {
		value, err := call(inner, tasks[0])
		if err != nil {
			return nil, err
		}
		return []T{value}, nil
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
	for i, task := range tasks {
		if !acquire(inner, slots) {
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
	if first != nil {
		return nil, first
	}
	return results, nil
}
