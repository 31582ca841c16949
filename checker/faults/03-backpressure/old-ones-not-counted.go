//go:build ignore

// Mistake: Only refused values are counted as dropped; the old ones that were pushed out are forgotten.
// Killed by: drop-oldest-keeps-the-last
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) displace(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !TrySend(b.values, v) {
		select {
		case <-b.values:
		default:
		}
	}
}
