//go:build ignore

// Mistake: The value of the panic is kept as text: who wants to look into it cannot.
// Killed by: panic-becomes-error
// Verdict: wrong-answer

package goroutines

import (
	"context"
	"fmt"
	"runtime/debug"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Value: fmt.Sprint(p), Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
