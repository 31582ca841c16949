//go:build ignore

// Mistake: A nil task is reported without being called, and so without a stack.
// Killed by: panic-becomes-error
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	if task == nil {
		return value, &PanicError{Value: "nil task"}
	}
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
