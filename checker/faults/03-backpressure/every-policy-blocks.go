//go:build ignore

// Mistake: The policy is stored and never looked at for the newest value: Send waits for room.
// Killed by: drop-newest-keeps-the-first
// Verdict: deadlock

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !b.enter() {
		return ErrClosed
	}
	defer b.inside.Done()
	switch b.policy {
	case DropNewest:
		return b.wait(ctx, v)
	case DropOldest:
		b.displace(v)
		return nil
	}
	return b.wait(ctx, v)
}
