//go:build ignore

// Mistake: A slot that does not become free within ten minutes is taken for lost, and a task is started without one.
// Killed by: respects-limit
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
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
	)
	fail := func(err error) {
		once.Do(func() {
			first = err
			cancel()
		})
	}
	for i, task := range tasks {
		patience, stop := context.WithTimeout(inner, 10*time.Minute)
		got := acquire(patience, slots)
		stop()
		if !got && inner.Err() == nil {
			slots = make(chan struct{}, limit)
			got = acquire(inner, slots)
		}
		slots := slots
		if !got {
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
