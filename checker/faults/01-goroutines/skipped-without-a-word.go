//go:build ignore

// Mistake: A goroutine looks at the context before it calls its task, and if it has ended just returns: the task that was
//   not called has the result zero.
// Killed by: late-cancel-keeps-results
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
			if inner.Err() != nil {
				return
			}
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
