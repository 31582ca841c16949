//go:build ignore

// Mistake: A task that panics with a *PanicError is not wrapped once more: the stack is that of another goroutine.
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
			inner, ok := p.(*PanicError)
			if !ok {
				inner = &PanicError{Value: p, Stack: debug.Stack()}
			}
			err = inner
		}
	}()
	return task(ctx)
}
