//go:build ignore

// Mistake: The classic or-done: a goroutine reads the channel and hands on what it gets. When the loop is
//   left it holds a value that nobody will ever see.
// Killed by: or-done-ends-with-input
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"iter"
)

func OrDone[T any](ctx context.Context, in <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		source, ahead := in, make(chan T)
		go func() {
			defer close(ahead)
			for v := range source {
				select {
				case <-ctx.Done():
					return
				case ahead <- v:
				}
			}
		}()
		in := ahead
		for ctx.Err() == nil {
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
