//go:build ignore

// Mistake: To make room the whole buffer is emptied, where one value was enough.
// Killed by: drop-oldest-keeps-the-last
// Verdict: wrong-answer

package backpressure

func (b *Bounded[T]) displace(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !TrySend(b.values, v) {
		select {
		case <-b.values:
			for b.dropped++; len(b.values) > 0; b.dropped++ {
				<-b.values
			}
		default:
		}
	}
}
