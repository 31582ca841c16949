//go:build ignore

// Mistake: The stop drops what is pending and marks the pump later: a value that is added in between stays.
// Killed by: stop-lets-go
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) stop() {
	p.mu.Lock()
	p.pending = ring[T]{}
	p.mu.Unlock()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
}
