//go:build ignore

// Mistake: The context of a call inside a task is derived from that of the outermost caller: a failure in the outer call, or a timeout of the task, does not reach it.
// Killed by: error-cancels-the-rest
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"sync"
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	root := ctx
	if outer, nested := ctx.Value(rootKey{}).(context.Context); nested {
		root = outer
	}
	inner, cancel := context.WithCancel(context.WithValue(root, rootKey{}, root))
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

type rootKey struct{}
