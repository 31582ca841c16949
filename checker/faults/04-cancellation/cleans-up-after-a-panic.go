//go:build ignore

// Mistake: What the loop has registered is taken back at its end and when its body panics; runtime.Goexit leaves it by neither way.
// Killed by: or-done-ends-with-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		ended := make(chan struct{})
		stop := context.AfterFunc(ctx, func() { close(ended) })
		defer func() {
			if p := recover(); p != nil {
				stop()
				panic(p)
			}
		}()
		for ctx.Err() == nil {
			select {
			case <-ended:
			case v, ok := <-in:
				if !ok || !yield(v) {
					stop()
					return
				}
			}
		}
		stop()
	}
}
