//go:build ignore

// Mistake: After Close Out hands over a channel of its own, which gets what is left: who asks twice holds two channels.
// Killed by: close-lets-the-rest-out
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) Out() <-chan T {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		return b.values
	}
	rest := make(chan T, len(b.values))
	for len(b.values) > 0 {
		rest <- <-b.values
	}
	close(rest)
	return rest
}
