//go:build ignore

// Mistake: The deferred function that recovers cancels the context at once: the error of a task that stops for it may be stored first.
// Killed by: panic-becomes-error
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
	slots := make(chan struct{}, limit) // a counting semaphore: one element per running task
	results := make([]T, len(tasks))
	var (
		wg    sync.WaitGroup
		once  sync.Once // the first failure wins
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
			fail(inner.Err()) // loses to the failure that cancelled inner, if there was one
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			value, err := call(inner, func(ctx context.Context) (T, error) {
				defer func() {
					if p := recover(); p != nil {
						cancel()
						panic(p)
					}
				}()
				return task(ctx)
			})
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
