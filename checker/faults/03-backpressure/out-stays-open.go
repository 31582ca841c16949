//go:build ignore

// Mistake: Close refuses senders and forgets receivers: the channel is never closed.
// Killed by: close-lets-the-rest-out
// Verdict: deadlock

package backpressure

func (b *Bounded[T]) Close() {
	if !b.shut() {
		return
	}
	b.inside.Wait()
}
