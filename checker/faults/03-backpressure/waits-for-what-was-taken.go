//go:build ignore

// Mistake: The buffer was full a moment ago, so there must be something to take out of it.
// Killed by: close-while-others-send
// Verdict: deadlock

package backpressure

func (b *Bounded[T]) displace(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !TrySend(b.values, v) {
		<-b.values
		b.dropped++
	}
}
