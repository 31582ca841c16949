//go:build ignore

// Mistake: A failure that is not the first leaves the cancel to the first, and gives its slot back while that has not come to it.
// Killed by: error-starts-no-more
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
	"sync/atomic"
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
		first atomic.Pointer[error]
	)
	fail := func(err error) {
		if first.CompareAndSwap(nil, &err) {
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
	if failure := first.Load(); failure != nil {
		return nil, *failure
	}
	return results, nil
}
