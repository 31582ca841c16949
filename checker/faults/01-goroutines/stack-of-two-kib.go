//go:build ignore

// Mistake: The stack of a panic is cut off after 2 KiB.
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
			stack := debug.Stack()
			err = &PanicError{Value: p, Stack: stack[:min(len(stack), 2048)]}
		}
	}()
	return task(ctx)
}
