//go:build ignore

// Mistake: A Send under Block derives a context for its wait, and does not cancel it: the ctx of the caller keeps a goroutine for each.
// Killed by: needs-no-close
// Verdict: goroutine-leak

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	ctx, cancel := context.WithCancel(ctx)
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		cancel()
		return ctx.Err()
	case <-b.done:
		cancel()
		return ErrClosed
	}
}
