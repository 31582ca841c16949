//go:build ignore

// Mistake: ctx is looked at when OrDone is called, and then after each value: what happens before the loop begins
//   is left to the select.
// Killed by: or-done-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	live := ctx.Err() == nil
	return func(yield func(T) bool) {
		for live := live; live; live = ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					return
				}
			}
		}
	}
}
