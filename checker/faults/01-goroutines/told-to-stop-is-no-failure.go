//go:build ignore

// Mistake: A task that returns its context's error was told to stop, and that is taken for no failure: Gather reports success.
// Killed by: late-cancel-keeps-results
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"errors"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	value, err = task(ctx)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = nil
	}
	return value, err
}
