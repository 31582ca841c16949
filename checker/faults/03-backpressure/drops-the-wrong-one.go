//go:build ignore

// Mistake: Under DropOldest the new value is the one that is dropped when the buffer is full.
// Killed by: drop-oldest-keeps-the-last
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) displace(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !TrySend(b.values, v) {
		select {
		default:
			b.dropped++
			return
		}
	}
}
