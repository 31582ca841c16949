//go:build ignore

// Mistake: A task counts as started when Gather begins to wait for its slot: if the context ends meanwhile, and it is the
//   last one, nothing seems to be missing.
// Killed by: cancelled-while-waiting
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
			if i == 0 || i < len(tasks)-1 {
				fail(inner.Err())
			}
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
