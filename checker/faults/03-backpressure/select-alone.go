//go:build ignore

// Mistake: The select is trusted to prefer a context that is done to room in the buffer; it picks at random,
//   and dropping policies do not ask at all.
// Killed by: done-context-wins
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
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
