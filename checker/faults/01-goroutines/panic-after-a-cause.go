//go:build ignore

// Mistake: A panic in a task whose context has ended with a cause is taken for that end, and ctx.Err() is returned.
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
			if ctx.Err() != nil && context.Cause(ctx) != ctx.Err() {
				err = ctx.Err()
				return
			}
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
