// Package cancellation is lab 04: select and context. The first result wins, many
// channels become one, loops wait between runs, and all of it stops when its context ends.
package cancellation

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ErrNoTasks is what First returns when it is given nothing to run.
var ErrNoTasks = errors.New("cancellation: no tasks")

// First runs every task in a goroutine of its own, all at the same time, and
// returns the value of the first task to succeed, that is, to return
// a nil error. A task that fails, with whatever error, does not end the others: First
// goes on waiting for a success.
//
// The context that tasks receive is derived from ctx; whether each task has one of its own is
// open. All of them are cancelled, the winner's too, as soon as a task has succeeded, and in
// any case when First returns. First waits for the losers: it blocks, without polling, until
// every task it started has returned, and then returns at once. A task that does not listen to
// its context delays First. What a loser returns is thrown away. Of two tasks that succeed at
// the same moment either may win. First leaves nothing behind, not even a function that is
// registered with ctx. First does not change the slice of tasks, nor the array behind it.
//
// If no task succeeds, First returns the zero value and an error made by
// errors.Join of the tasks' errors, in the order of the tasks.
//
// If ctx is already done, no task is started and First returns the zero value and
// ctx.Err(). If ctx ends later, the tasks learn of it by their context and
// the rules above hold unchanged: a task that still succeeds has succeeded. Once First
// has begun to start tasks it runs all of them, even if another has succeeded or ctx
// has ended by the time a task's goroutine begins.
//
// With no tasks and a ctx that is not done, First returns ErrNoTasks. A panic of a
// task is not caught: it ends the process, in the task's own goroutine. Lab 01 shows how
// it would be caught. A task that calls runtime.Goexit is not specified.
func First[T any](ctx context.Context, tasks ...func(ctx context.Context) (T, error)) (T, error) {
	panic(kit.TODO("First"))
}
