//go:build ignore

// Mistake: What yield returns is not looked at: the iterator goes on after the loop was left.
// Killed by: or-done-ends-with-input
// Verdict: panic

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok {
					return
				}
				yield(v)
			}
		}
	}
}
