//go:build ignore

// Mistake: A context that cannot end is taken for nothing to wait for: then Send waits for room alone, and Close does not wake it.
// Killed by: close-wakes-senders
// Verdict: deadlock

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	if ctx.Done() == nil {
		b.values <- v
		return nil
	}
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}
