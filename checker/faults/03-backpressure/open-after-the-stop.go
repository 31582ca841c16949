//go:build ignore

// Mistake: Run returns and leaves the pump open: Add goes on to fill a buffer that nobody will ever empty.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = ring[T]{}
}
