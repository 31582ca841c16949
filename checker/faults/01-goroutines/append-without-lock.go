//go:build ignore

// Mistake: append to a shared slice is taken for atomic.
// Killed by: results-are-not-raced-for
// Verdict: data-race

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
	slots := make(chan struct{}, limit)
	results := make([]T, 0, len(tasks))
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
	for _, task := range tasks {
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
			results = append(results, value)
		})
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	return results, nil
}
