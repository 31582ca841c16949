//go:build ignore

// Mistake: Add does not look whether the pump is closed, so Run may never reach its end.
// Killed by: closed-pump-takes-no-more
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) push(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending.push(v)
	return true
}
