//go:build ignore

// Mistake: Run looks at what is pending under one lock and at closed under the next: what is added and closed
//   in between is lost.
// Killed by: no-lost-wake-up
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) take() (v T, ok, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.n == 0 {
		p.mu.Unlock()
		p.mu.Lock()
		return v, false, p.closed
	}
	return p.pending.pop(), true, false
}
