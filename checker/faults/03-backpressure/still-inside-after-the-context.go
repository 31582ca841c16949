//go:build ignore

// Mistake: A Send whose ctx ends is not counted out, so the goroutine that Close starts waits for it before it closes Out: that never happens.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err // asked first: a select would let room win as often as not
	}
	if !b.enter() {
		return ErrClosed
	}
	switch b.policy {
	case DropNewest:
		defer b.inside.Done()
		return b.offer(v)
	case DropOldest:
		defer b.inside.Done()
		b.displace(v)
		return nil
	}
	err := b.wait(ctx, v)
	if err == nil || err == ErrClosed {
		b.inside.Done()
	}
	return err
}

func (b *Bounded[T]) Close() {
	if !b.shut() {
		return
	}
	go func() {
		b.inside.Wait()
		close(b.values)
	}()
}
