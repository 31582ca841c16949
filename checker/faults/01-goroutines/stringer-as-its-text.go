//go:build ignore

// Mistake: A value that has a text is kept as that text: the caller cannot tell any more what the task panicked with.
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
			if s, is := p.(fmt.Stringer); is {
				p = s.String()
			}
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}
