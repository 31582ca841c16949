//go:build ignore

// Mistake: A loop that breaks off when ctx has ended takes the next value out, as if somebody still waited for its turn.
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
				if !ok {
					return
				}
				if !yield(v) {
					if ctx.Err() != nil {
						select {
						case <-in:
						default:
						}
					}
					return
				}
			}
		}
	}
}
