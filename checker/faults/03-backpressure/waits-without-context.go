//go:build ignore

// Mistake: A Send that waits for room does not listen to its context.
// Killed by: block-honours-context
// Verdict: deadlock

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return nil
	case <-b.done:
		return ErrClosed
	}
}
