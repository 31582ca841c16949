//go:build ignore

// Mistake: A waiting Send whose ctx ends returns ctx.Err(), and a goroutine goes on waiting for room with its value.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	sent := make(chan struct{})
	b.inside.Add(1)
	go func() {
		defer b.inside.Done()
		select {
		case b.values <- v:
			close(sent)
		case <-b.done:
		}
	}()
	select {
	case <-sent:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}
