//go:build ignore

// Mistake: All tasks are looked at before the first is started, and a nil one is reported at once, although its turn has not come.
// Killed by: cancelled-before-start
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"runtime/debug"
	"sync"
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	for _, task := range tasks {
		if task == nil {
			return nil, &PanicError{Value: "nil task", Stack: debug.Stack()}
		}
	}
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
			fail(inner.Err()) // loses to the failure that cancelled inner, if there was one
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
