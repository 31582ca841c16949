//go:build ignore

// Mistake: Many tasks are dealt out in chunks, one goroutine for each, as WithChunkSize of ParallelizeUntil does: a task waits
//   behind the slow one of its chunk while a slot is free.
// Killed by: reuses-slots-at-once
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
	chunk := max(1, len(tasks)/(64*max(1, limit)))
	for from := 0; from < len(tasks); from += chunk {
		if !acquire(inner, slots) {
			fail(inner.Err()) // loses to the failure that cancelled inner, if there was one
			break
		}
		wg.Go(func() {
			defer func() { <-slots }()
			for i := from; i < min(from+chunk, len(tasks)); i++ {
				value, err := call(inner, tasks[i])
				if err != nil {
					fail(err)
					return
				}
				results[i] = value
			}
		})
	}
	wg.Wait()
	if first != nil {
		return nil, first
	}
	return results, nil
}
