//go:build ignore

// Mistake: Whether to go on is asked of ctx, and the error is taken from the derived context, which may end a moment later: with no error, tasks were left out.
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
		if !acquire(inner, slots) || ctx.Err() != nil {
			stopped = true
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
	if stopped && first == nil {
		first = inner.Err()
	}
	if first != nil {
		return nil, first
	}
	return results, nil
}
