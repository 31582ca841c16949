//go:build ignore

// Mistake: Under DropNewest a full buffer refuses before anybody looks whether it is closed: a value is
//   counted that the policy did not drop.
// Killed by: close-lets-the-rest-out
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.policy == DropNewest && len(b.values) == cap(b.values) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.dropped++
		return ErrFull
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
