//go:build ignore

// Mistake: The second result of the receive is not looked at: a closed channel yields zeros for ever
//   (kubernetes#137398).
// Killed by: or-done-ends-with-input
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
				if _ = ok; !yield(v) {
					return
				}
			}
		}
	}
}
