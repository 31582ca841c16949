// Package cancellation is lab 04 with counters: the winner of First is an atomic pointer, and
// of Merge's forwarders the last one to end closes the channel.
package cancellation

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// ErrNoTasks is what First returns when it is given nothing to run.
var ErrNoTasks = errors.New("cancellation: no tasks")

// First returns the value of the first task to succeed and cancels the rest.
func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	var zero T
	switch {
	case ctx.Err() != nil:
		return zero, ctx.Err()
	case len(tasks) == 0:
		return zero, ErrNoTasks
	}
	child, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wg     sync.WaitGroup
		winner atomic.Pointer[T]
		mu     sync.Mutex // guards failed
		failed = map[int]error{}
	)
	for i := len(tasks) - 1; i >= 0; i-- {
		wg.Add(1)
		go func() {
			defer wg.Done()
			v, err := tasks[i](child)
			if err == nil {
				if winner.CompareAndSwap(nil, &v) {
					cancel(errors.New("won"))
				}
				return
			}
			mu.Lock()
			defer mu.Unlock()
			failed[i] = err
		}()
	}
	wg.Wait()
	if w := winner.Load(); w != nil {
		return *w, nil
	}
	var errs []error
	for i := range tasks {
		errs = append(errs, failed[i])
	}
	return zero, errors.Join(errs...)
}
