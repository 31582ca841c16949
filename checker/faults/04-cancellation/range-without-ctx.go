//go:build ignore

// Mistake: The loop looks at ctx between two values, but not while it waits for one.
// Killed by: or-done-ends-with-ctx
// Verdict: deadlock

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ctx.Err() == nil {
			if v, ok := <-in; !ok || !yield(v) {
				return
			}
		}
	}
}
