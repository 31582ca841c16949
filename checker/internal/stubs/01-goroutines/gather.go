// Package goroutines is lab 01: start many goroutines, wait for all of them, keep
// their results in order, bound how many run at once, and turn a panic into an error.
package goroutines

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
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
// the order of the tasks, whatever the order in which they end. It calls each task at
// most once. It blocks, and does not poll, until every task that it started has
// returned, and leaves no goroutine behind. It does not change the slice of tasks, nor
// the array behind it. Any goroutine may call Gather at any time, a task too: calls do
// not wait for each other, each has a limit of its own, and nothing of one reaches
// another. There is one exception: a call whose ctx is a task's context, or derived
// from it, is cancelled when that context is.
//
// At most limit tasks run at once, and no fewer as long as a task waits for its
// turn: a slot that becomes free is used at once. limit <= 0 means that there is no
// bound. A limit may be far greater than the number of tasks: math.MaxInt is
// allowed. Tasks may begin in any order.
//
// The context that tasks receive is derived from ctx. It is cancelled when a task
// fails and when Gather returns, but not when a task succeeds. After a task has
// failed no further task is started; Gather waits for those under way and returns
// nil and the error of the task that failed first, as that task returned it.
//
// A task fails when it returns an error that is not nil, whatever the error is, or
// when it panics. A task that panics, as a nil task does in its goroutine when its
// turn comes, has failed with a *PanicError. The panic does not reach the caller's
// goroutine and does not end the process. Tasks do not call runtime.Goexit.
//
// If ctx is cancelled before all tasks have been started, no further task is
// started. Gather waits for those under way and returns nil and ctx.Err(), not the
// context's cause. The error of a task that had failed before ctx was cancelled is
// returned instead. If a task fails only afterwards, Gather may return either its
// error or ctx.Err(). The end of a ctx of a type that package context does not know
// may reach the derived context a moment later, and tasks may be started until then.
//
// Once every task has been started, what the tasks return decides, even if ctx is
// cancelled then: Gather returns the results of all of them, or nil and the error
// of the task that failed first. A task counts as started when a goroutine is on its
// way to call it, whether or not the task has begun. If that goroutine looks at the
// context once more, and then does not call the task, the task has not been started,
// and Gather returns the error of the task that failed, or ctx.Err().
//
// With no tasks, Gather returns an empty result and no error, even if ctx has ended.
func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	panic(kit.TODO("Gather"))
}
