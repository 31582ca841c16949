//go:build ignore

// Mistake: Send returns context.Canceled whatever has ended ctx: a caller cannot tell a deadline from a cancel.
// Killed by: done-context-wins
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return context.Canceled
	}
	if !b.enter() {
		return ErrClosed
	}
	defer b.inside.Done()
	switch b.policy {
	case DropNewest:
		return b.offer(v)
	case DropOldest:
		b.displace(v)
		return nil
	}
	return b.wait(ctx, v)
}
