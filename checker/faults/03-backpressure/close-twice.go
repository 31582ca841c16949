//go:build ignore

// Mistake: A second Close is not thought of; it closes a closed channel.
// Killed by: close-lets-the-rest-out
// Verdict: panic

package backpressure

func (b *Bounded[T]) shut() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	close(b.done)
	return true
}
