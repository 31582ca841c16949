//go:build ignore

// Mistake: Whether the deadline has passed is read from the clock when Gather returns, and not from ctx: it may have been
//   cancelled before.
// Killed by: cancelled-while-waiting
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
	slots := make(chan struct{}, limit) // a counting semaphore: one element per running task
	results := make([]T, len(tasks))
	var (
		wg    sync.WaitGroup
		once  sync.Once // the first failure wins
		first error
		late  bool
	)
	fail := func(err error) {
		once.Do(func() {
			first = err
			cancel()
		})
	}
	for i, task := range tasks {
		if !acquire(inner, slots) {
			late = true
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
	if due, has := ctx.Deadline(); late && has && !time.Now().Before(due) {
		return nil, context.DeadlineExceeded
	}
	if late {
		return nil, ctx.Err()
	}
	return results, nil
}
