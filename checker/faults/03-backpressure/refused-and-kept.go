//go:build ignore

// Mistake: A value is pushed first and taken back if the pump is closed: its slot still refers to it.
// Killed by: stop-lets-go
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) push(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending.push(v)
	if p.closed {
		p.pending.n--
		return false
	}
	return true
}
