//go:build ignore

// Mistake: A stop clears the small ring, and forgets about the large one.
// Killed by: stop-lets-go
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if len(p.pending.slots) > smallSize {
		p.pending.n = 0
		return
	}
	p.pending = ring[T]{}
}
