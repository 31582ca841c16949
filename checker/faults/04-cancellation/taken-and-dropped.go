//go:build ignore

// Mistake: ctx is looked at after the receive: a value that was ready is taken out of the channel, and nobody gets it.
// Killed by: or-done-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || ctx.Err() != nil || !yield(v) {
					return
				}
			}
		}
	}
}
