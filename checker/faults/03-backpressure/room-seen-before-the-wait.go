//go:build ignore

// Mistake: A Send under Block that sees room sends without a select. Another takes the room, and it waits where neither ctx nor Close wakes it.
// Killed by: close-while-others-send
// Verdict: deadlock

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	if len(b.values) < cap(b.values) {
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
