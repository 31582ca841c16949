//go:build ignore

// Mistake: If ctx ended while tasks waited, ctx.Err() goes before a panic, even one that came first: a panic is no error of a task.
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
	stopped := false
	for i, task := range tasks {
		if !acquire(inner, slots) {
			stopped = true
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
	if _, panicked := first.(*PanicError); panicked && stopped && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if first != nil {
		return nil, first
	}
	return results, nil
}
