//go:build ignore

// Mistake: A loop that breaks off when its channel is empty is taken for the last one over its iter.Seq.
// Killed by: or-done-ends-with-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	ended := false
	return func(yield func(T) bool) {
		if ended {
			return
		}
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					ended = len(in) == 0
					return
				}
			}
		}
	}
}
