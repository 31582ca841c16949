//go:build ignore

// Mistake: A flag allows one loop at a time, and is lowered where the loop returns: a panic of its body leaves
//   it up.
// Killed by: or-done-ends-with-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	busy := false
	return func(yield func(T) bool) {
		if busy {
			return
		}
		busy = true
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					busy = false
					return
				}
			}
		}
	}
}
