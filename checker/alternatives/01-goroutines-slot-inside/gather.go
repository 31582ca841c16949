// Package goroutines is lab 01 with all goroutines started at once: each takes a slot as
// its first step. So tasks begin in the order in which the runtime schedules goroutines,
// and a task that waits for its turn costs a goroutine.
package goroutines

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// PanicError is what Gather returns when a task panicked.
type PanicError struct {
	Value any    // what the task panicked with
	Stack []byte // of the task's goroutine, with the function that panicked
}

// Error says that a task panicked and with what.
func (e *PanicError) Error() string {
	return fmt.Sprintf("task panicked: %v", e.Value)
}

// Gather runs the tasks and returns their results in the order of the tasks.
func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if limit <= 0 || limit > len(tasks) {
		limit = len(tasks)
	}
	var (
		slots   = make(chan struct{}, limit)
		results = make([]T, len(tasks))
		first   atomic.Pointer[error]
		skipped atomic.Bool
		all     sync.WaitGroup
	)
	all.Add(len(tasks))
	for i, task := range tasks {
		go func() {
			defer all.Done()
			select {
			case slots <- struct{}{}:
				defer func() { <-slots }()
			case <-inner.Done():
			}
			if inner.Err() != nil {
				skipped.Store(true)
				return
			}
			value, err := protect(inner, task)
			if err != nil {
				first.CompareAndSwap(nil, &err)
				cancel()
				return
			}
			results[i] = value
		}()
	}
	all.Wait()
	switch failure := first.Load(); {
	case failure != nil:
		return nil, *failure
	case skipped.Load():
		return nil, ctx.Err()
	}
	return results, nil
}

// protect runs one task and turns its panic into an error.
func protect[T any](ctx context.Context, task func(context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
