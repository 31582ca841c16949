//go:build ignore

// Mistake: A context ends with context.Canceled or context.DeadlineExceeded; that the caller's may be of another type, with
//   an error of its own, is not thought of.
// Killed by: cancelled-before-start
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"errors"
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
			if errors.Is(inner.Err(), context.DeadlineExceeded) {
				fail(context.DeadlineExceeded)
			}
			fail(context.Canceled)
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
