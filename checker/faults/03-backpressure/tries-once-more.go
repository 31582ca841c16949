//go:build ignore

// Mistake: A waiting Send whose ctx ends tries once more, and returns ctx.Err() whether that has sent its value or not.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		TrySend(b.values, v)
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}
