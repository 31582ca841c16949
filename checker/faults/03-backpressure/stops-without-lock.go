//go:build ignore

// Mistake: When Run ends nobody is thought to be left who could look at closed.
// Killed by: many-senders-one-handler
// Verdict: data-race

package backpressure

func (p *Pump[T]) stop() {
	p.closed = true
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending = ring[T]{}
}
