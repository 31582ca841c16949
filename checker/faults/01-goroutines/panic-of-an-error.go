//go:build ignore

// Mistake: A panic with an error is returned as that error, so nobody learns that it was a panic, or where.
// Killed by: panic-becomes-error
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			var isError bool
			if err, isError = p.(error); !isError {
				err = &PanicError{Value: p, Stack: debug.Stack()}
			}
		}
	}()
	return task(ctx)
}
