//go:build ignore

// Mistake: A value that a forwarder holds when ctx ends gets one more second to be read, so that it is not lost.
// Killed by: merge-ends-with-ctx
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func forward[T any](ctx context.Context, in <-chan T, out chan<- T) {
	for v := range OrDone(ctx, in) {
		select {
		case <-ctx.Done():
			select {
			case out <- v:
			case <-time.After(time.Second):
			}
			return
		case out <- v:
		}
	}
}
