//go:build ignore

// Mistake: recover is deferred in Gather itself; a panic can only be caught in its own goroutine.
// Killed by: panic-becomes-error
// Verdict: panic

package goroutines

import (
	"context"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := any(nil); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
