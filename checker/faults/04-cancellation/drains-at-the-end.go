//go:build ignore

// Mistake: A loop that the cancellation wakes takes out what is ready, as if that were its last duty.
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
				for len(in) > 0 {
					<-in
				}
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					return
				}
			}
		}
	}
}
