//go:build ignore

// Mistake: What lies in the channel is counted and received without a select; another reader may take it before.
// Killed by: or-done-ends-with-ctx
// Verdict: wrong-answer

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
				if !ok || !yield(v) {
					return
				}
			}
			for n := len(in); n > 0 && ctx.Err() == nil; n-- {
				if v, ok := <-in; !ok || !yield(v) {
					return
				}
			}
		}
	}
}
