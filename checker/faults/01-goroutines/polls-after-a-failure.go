//go:build ignore

// Mistake: After a failure Gather looks every ten milliseconds whether the tasks under way have returned.
// Killed by: waits-after-error
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
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
		left  atomic.Int32
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
		left.Add(1)
		wg.Go(func() {
			defer left.Add(-1)
			defer func() { <-slots }()
			value, err := call(inner, task)
			if err != nil {
				fail(err)
				return
			}
			results[i] = value
		})
	}
	for inner.Err() != nil && left.Load() > 0 {
		time.Sleep(10 * time.Millisecond)
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	return results, nil
}
