//go:build ignore

// Mistake: The recover asks an error for its text. Error may panic, as that of a nil pointer does, and ends the process.
// Killed by: panic-becomes-error
// Verdict: panic

package goroutines

import (
	"context"
	"runtime/debug"
	"strings"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			if e, is := p.(error); is {
				_ = strings.TrimSpace(e.Error())
			}
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
