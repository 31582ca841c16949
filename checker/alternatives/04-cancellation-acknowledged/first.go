// Package cancellation is lab 04 with one goroutine between Merge's inputs and its reader, which
// acknowledges each value. First waits on a condition, and each wait of a loop is a context with a deadline.
package cancellation

import (
	"context"
	"errors"
	"sync"
)

// ErrNoTasks is what First returns when it is given nothing to run.
var ErrNoTasks = errors.New("cancellation: no tasks")

// race is what the tasks of a First share.
type race[T any] struct {
	mu     sync.Mutex // guards the fields below
	cond   *sync.Cond
	left   int
	won    bool
	value  T
	errs   []error
	cancel func()
}

// First returns the value of the first task to succeed and cancels the rest.
func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	if err := ctx.Err(); err != nil {
		var zero T
		return zero, err
	}
	if len(tasks) == 0 {
		var zero T
		return zero, ErrNoTasks
	}
	child, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &race[T]{left: len(tasks), errs: make([]error, len(tasks)), cancel: cancel}
	r.cond = sync.NewCond(&r.mu)
	for i := range tasks {
		go r.run(i, child, tasks[i])
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.left > 0 {
		r.cond.Wait()
	}
	if r.won {
		return r.value, nil
	}
	return r.value, errors.Join(r.errs...)
}

// run runs task i, and says how it ended.
func (r *race[T]) run(i int, ctx context.Context, task func(context.Context) (T, error)) {
	v, err := task(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left--
	if err == nil && !r.won {
		r.won, r.value = true, v
		r.cancel()
	}
	r.errs[i] = err
	r.cond.Signal()
}
