//go:build ignore

// Mistake: Each task gets a context of its own, cancelled when the task returns: what it has begun with it ends early.
// Killed by: error-cancels-the-rest
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
