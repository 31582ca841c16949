//go:build ignore

// Mistake: ctx is looked at when a value has been received: it is then too late to leave the value in the channel.
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
