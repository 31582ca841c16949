//go:build ignore

// Mistake: After Close, what is still in the buffer counts as dropped, although it can be received.
// Killed by: close-lets-the-rest-out
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) Dropped() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return b.dropped + len(b.values)
	}
	return b.dropped
}
