//go:build ignore

// Mistake: The receive listens to ctx, the send does not: it blocks for ever once the reader has left
//   (kubernetes#38670).
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import "context"

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for v := range OrDone(ctx, in) {
		out <- v
	}
}
