//go:build ignore

// Mistake: A forwarder whose value nobody takes drops it when ctx ends, and goes on: its next select may pick the input.
// Killed by: merge-does-not-hoard
// Verdict: wrong-answer

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for {
		select {
		case <-ctx.Done():
			return
		case v, ok := <-in:
			if !ok {
				return
			}
			select {
			case out <- v:
			case <-ctx.Done():
			}
		}
	}
}
