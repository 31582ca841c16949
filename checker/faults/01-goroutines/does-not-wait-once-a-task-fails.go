//go:build ignore

// Mistake: ctx has ended, and then a task under way fails: what the others return changes nothing then, and so Gather does not wait for them.
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
		bad   = make(chan struct{}, 1)
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
				select {
				case bad <- struct{}{}:
				default:
				}
				return
			}
			results[i] = value
		})
	}
	ended := make(chan struct{})
	go func() {
		wg.Wait()
		close(ended)
	}()
	if stopped && ctx.Err() != nil {
		select {
		case <-ended:
		case <-bad:
			return nil, ctx.Err()
		}
	}
	<-ended
	if first != nil {
		return nil, first
	}
	return results, nil
}
