//go:build ignore

// Mistake: When the value is in the buffer, the context is looked at once more: the caller hears that it is not, and sends it twice.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}
