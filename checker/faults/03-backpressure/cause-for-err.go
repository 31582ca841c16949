//go:build ignore

// Mistake: Send returns the context's cause in the place of ctx.Err(): callers compare with context.Canceled.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-b.done:
		return ErrClosed
	}
}
