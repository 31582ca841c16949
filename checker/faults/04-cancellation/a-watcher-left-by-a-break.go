//go:build ignore

// Mistake: A function that is registered with ctx is signed off when the channel or ctx ends, and not when the
//   loop breaks off.
// Killed by: or-done-ends-with-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		stop := context.AfterFunc(ctx, func() {})
		for ctx.Err() == nil {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-in:
				if !ok || !yield(v) {
					if !ok {
						stop()
					}
					return
				}
			}
		}
	}
}
