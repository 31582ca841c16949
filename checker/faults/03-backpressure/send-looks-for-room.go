//go:build ignore

// Mistake: A Send that waits wakes up every two milliseconds, to look whether its ctx has ended.
// Killed by: block-waits-at-capacity
// Verdict: wrong-answer

package backpressure

import "context"

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	for {
		tick, cancel := context.WithTimeout(ctx, 2_000_000)
		select {
		case b.values <- v:
			cancel()
			return nil
		case <-b.done:
			cancel()
			return ErrClosed
		case <-tick.Done():
			cancel()
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
}
