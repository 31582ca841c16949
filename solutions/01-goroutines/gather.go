// Package goroutines is lab 01: start many goroutines, wait for all of them, keep
// their results in order, bound how many run at once, and turn a panic into an error.
package goroutines

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// PanicError is what Gather returns when a task panicked.
type PanicError struct {
	// Value is what the task panicked with, as recover gives it; for a nil
	// task it may be any value.
	Value any

	// Stack shows where the task panicked: it is the stack of the task's goroutine with
	// the function that panicked still on it, as runtime/debug.Stack gives it. A nil task
	// has no function: then it shows the one that tried to call it.
	Stack []byte
}

// Error says that a task panicked and with what.
func (e *PanicError) Error() string {
	return fmt.Sprintf("task panicked: %v", e.Value)
}

// Gather runs the tasks in goroutines that it starts and returns their results in
// the order of the tasks. The stub's documentation is the contract.
//
// Every result has its own slot, so the goroutines share no memory but the slice
// header: the writes happen before Done, Done happens before Wait returns, and
// only then is the slice read. No lock is needed for what is never shared.
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

// acquire takes a slot and reports true, or reports false once ctx is done. It is
// tempting to leave out the first check: but a select with two ready cases picks
// one at random, and a cancelled ctx must always win.
func acquire(ctx context.Context, slots chan<- struct{}) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case <-ctx.Done():
		return false
	case slots <- struct{}{}:
		return ctx.Err() == nil
	}
}

// call runs one task and turns its panic into an error. The recover has to be
// here, in the goroutine that panics: no other can catch it.
func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
