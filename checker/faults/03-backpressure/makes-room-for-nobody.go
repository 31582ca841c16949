//go:build ignore

// Mistake: DropOldest makes room before it looks at the context: an old value goes, and the new one does not come.
// Killed by: done-context-wins
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if !b.enter() {
		return ErrClosed
	}
	defer b.inside.Done()
	if b.policy == DropOldest {
		b.makeRoom()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	switch b.policy {
	case DropNewest:
		return b.offer(v)
	case DropOldest:
		b.displace(v)
		return nil
	}
	return b.wait(ctx, v)
}

func (b *Bounded[T]) makeRoom() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.values) < cap(b.values) {
		return
	}
	select {
	case <-b.values:
		b.dropped++
	default:
	}
}
