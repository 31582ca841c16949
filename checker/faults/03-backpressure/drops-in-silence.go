//go:build ignore

// Mistake: A dropped value is taken for a sent one: Send returns nil.
// Killed by: drop-newest-keeps-the-first
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) offer(v T) error {
	if TrySend(b.values, v) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dropped++
	return nil
}
