//go:build ignore

// Mistake: The send listens to ctx, the receive does not: an input that never closes keeps its forwarder.
// Killed by: merge-ends-with-ctx
// Verdict: deadlock

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for v := range in {
		select {
		case <-ctx.Done():
			return
		case out <- v:
		}
	}
}
