//go:build ignore

// Mistake: Close is taken for a stop: what is pending is thrown away, as processorListener.pop does when its
//   channel is closed.
// Killed by: closed-pump-takes-no-more
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.pending = ring[T]{}
	p.mu.Unlock()
	TrySend(p.wake, struct{}{})
}
