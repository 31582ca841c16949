//go:build ignore

// Mistake: A stopped pump keeps what was pending for as long as somebody keeps the pump.
// Killed by: stop-lets-go
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.pending.n = 0
}
