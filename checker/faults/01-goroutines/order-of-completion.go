//go:build ignore

// Mistake: Results are appended as they come in, under a lock, so they stand in the order of completion.
// Killed by: keeps-order
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
	slots := make(chan struct{}, limit)
	var mu sync.Mutex
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
			mu.Lock()
			results = append(results, value)
			mu.Unlock()
		})
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	return results, nil
}
