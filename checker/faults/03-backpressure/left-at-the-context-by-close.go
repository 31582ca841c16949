//go:build ignore

// Mistake: A Send that Close has woken leaves its context.AfterFunc at ctx; only one that has sent its value takes it away.
// Killed by: needs-no-close
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	over := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { close(over) })
	select {
	case b.values <- v:
		stop()
		return nil
	case <-over:
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}
