//go:build ignore

// Mistake: Gather looks once a second whether the tasks have ended.
// Killed by: waits-for-all
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
	slots := make(chan struct{}, limit) // a counting semaphore: one element per running task
	results := make([]T, len(tasks))
	var (
		wg      sync.WaitGroup
		running atomic.Int32
		once    sync.Once // the first failure wins
		first   error
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
		running.Add(1)
		wg.Go(func() {
			defer running.Add(-1)
			defer func() { <-slots }()
			value, err := call(inner, task)
			if err != nil {
				fail(err)
				return
			}
			results[i] = value
		})
	}
	for running.Load() > 0 {
		time.Sleep(time.Second)
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	return results, nil
}
