//go:build ignore

// Mistake: Close waits until the senders have left, and wakes none of them.
// Killed by: close-wakes-senders
// Verdict: deadlock

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
