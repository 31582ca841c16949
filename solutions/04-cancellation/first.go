// Package cancellation is lab 04: select and context. The first result wins, many
// channels become one, loops wait between runs, and all of it stops when it is told to.
package cancellation

import (
	"context"
	"errors"
)

// ErrNoTasks is what First returns when it is given nothing to run.
var ErrNoTasks = errors.New("cancellation: no tasks")

// outcome is what one task returned.
type outcome[T any] struct {
	task  int
	value T
	err   error
}

// First returns the value of the first task to succeed and cancels the rest. The
// stub's documentation is the contract.
//
// It is tempting to return as soon as the winner is known and to let the losers
// end by themselves. But then nobody knows when they have ended: the caller goes
// on while they still read what it gave them.
func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	var zero T
	if err := ctx.Err(); err != nil {
		return zero, err
	}
	if len(tasks) == 0 {
		return zero, ErrNoTasks
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel() // also when every task has failed: inner stays registered with ctx until then

	outcomes := start(inner, tasks)
	errs := make([]error, len(tasks))
	var winner *outcome[T]
	for range tasks { // one receive for each send: this is how First waits for all of them
		o := <-outcomes
		errs[o.task] = o.err
		if o.err == nil && winner == nil {
			winner = &o
			cancel()
		}
	}
	if winner == nil {
		return zero, errors.Join(errs...)
	}
	return winner.value, nil
}

// start runs every task and returns the channel on which their outcomes arrive, in
// the order in which they end. Whatever a task wrote happens before its send, the
// send before the receive, so First may read it without a lock.
func start[T any](ctx context.Context, tasks []func(ctx context.Context) (T, error)) <-chan outcome[T] {
	outcomes := make(chan outcome[T], len(tasks)) // room for all: no task waits to be heard
	for i, task := range tasks {
		go func() {
			value, err := task(ctx)
			outcomes <- outcome[T]{i, value, err}
		}()
	}
	return outcomes
}
