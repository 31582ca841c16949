//go:build ignore

// Mistake: A default case keeps the forwarder from ever waiting: what the reader is not ready for is lost.
// Killed by: merge-delivers-everything
// Verdict: wrong-answer

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for v := range OrDone(ctx, in) {
		select {
		case <-ctx.Done():
			return
		case out <- v:
		default:
		}
	}
}
