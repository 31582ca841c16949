//go:build ignore

// Mistake: As many workers as there are slots take one task after another: tasks share a goroutine.
// Killed by: reaches-limit
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
	results := make([]T, len(tasks))
	var (
		wg    sync.WaitGroup
		mu    sync.Mutex
		next  int
		first error
	)
	fail := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = err
			cancel()
		}
	}
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(tasks) || inner.Err() != nil {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range limit {
		wg.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
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
	if next < len(tasks) {
		fail(ctx.Err())
	}
	if first != nil {
		return nil, first
	}
	return results, nil
}
