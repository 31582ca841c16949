// Package goroutines is lab 01 with one owner: the caller's goroutine alone knows what
// runs, what waits and what has failed, and each task reports to it over a channel.
// There is no lock, no WaitGroup and no semaphore.
package goroutines

import (
	"context"
	"fmt"
	"runtime/debug"
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

// outcome is what a task reports when it ends.
type outcome[T any] struct {
	index int
	value T
	err   error
}

// Gather runs the tasks and returns their results in the order of the tasks.
func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	if limit <= 0 {
		limit = len(tasks)
	}
	var (
		reports = make(chan outcome[T])
		results = make([]T, len(tasks))
		next    = 0 // the first task that has not started
		running = 0
		first   error
	)
	for {
		for next < len(tasks) && running < limit && inner.Err() == nil {
			go run(inner, next, tasks[next], reports)
			next++
			running++
		}
		if running == 0 {
			break
		}
		// A context that ends needs no case of its own here: it is looked at before a task is started.
		o := <-reports
		running--
		switch {
		case o.err == nil:
			results[o.index] = o.value
		case first == nil:
			first = o.err
			cancel()
		}
	}
	switch {
	case first != nil:
		return nil, first
	case next < len(tasks):
		return nil, ctx.Err()
	}
	return results, nil
}

// run runs one task and reports how it ended.
func run[T any](ctx context.Context, index int, task func(context.Context) (T, error), reports chan<- outcome[T]) {
	o := outcome[T]{index: index}
	defer func() {
		if p := recover(); p != nil {
			o.err = &PanicError{Value: p, Stack: debug.Stack()}
		}
		reports <- o
	}()
	o.value, o.err = task(ctx)
}
