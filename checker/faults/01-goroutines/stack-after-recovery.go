//go:build ignore

// Mistake: The stack is taken when the recovering function has returned: what panicked is no longer on it.
// Killed by: panic-becomes-error
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (T, error) {
	value, panicked, err := recovered(ctx, task)
	if panicked != nil {
		return value, &PanicError{Value: panicked, Stack: debug.Stack()}
	}
	return value, err
}

func recovered[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, panicked any, err error) {
	defer func() { panicked = recover() }()
	value, err = task(ctx)
	return value, nil, err
}
