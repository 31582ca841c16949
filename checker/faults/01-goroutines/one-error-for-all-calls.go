//go:build ignore

// Mistake: The first error is kept in the package, and each call clears it when it begins: a call learns of the failures of another.
// Killed by: reaches-limit
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
)

var (
	mu    sync.Mutex // guards first
	first error
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()

	if limit <= 0 || limit > len(tasks) {
		limit = len(tasks)
	}
	slots := make(chan struct{}, limit) // a counting semaphore: one element per running task
	results := make([]T, len(tasks))
	var wg sync.WaitGroup
	mu.Lock()
	first = nil
	mu.Unlock()
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = err
			cancel()
		}
	}
	for i, task := range tasks {
		if !acquire(inner, slots) {
			fail(inner.Err()) // loses to the failure that cancelled inner, if there was one
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
	mu.Lock()
	defer mu.Unlock()
	if first != nil {
		return nil, first
	}
	return results, nil
}
