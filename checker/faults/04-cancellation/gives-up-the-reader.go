//go:build ignore

// Mistake: A reader that takes nothing for a minute counts as gone, and its value is dropped.
// Killed by: merge-does-not-hoard
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
			return
		case <-time.After(time.Minute):
		case out <- v:
		}
	}
}
