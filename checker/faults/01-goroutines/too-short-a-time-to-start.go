//go:build ignore

// Mistake: If the deadline of ctx is less than a second away nothing is started: there would not be time enough.
// Killed by: reaches-limit
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
	if due, has := ctx.Deadline(); has && time.Until(due) < time.Second {
		<-inner.Done()
	}
	for i, task := range tasks {
		if !acquire(inner, slots) {
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
