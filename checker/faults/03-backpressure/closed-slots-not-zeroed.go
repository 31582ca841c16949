//go:build ignore

// Mistake: A closed pump is soon over, so that its slots need not be zeroed: its last values may take hours.
// Killed by: forgets-what-was-handled
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) take() (v T, ok, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.n == 0 {
		return v, false, p.closed
	}
	r := &p.pending
	slot := &r.slots[r.head]
	v = r.pop()
	if p.closed {
		*slot = v
	}
	return v, true, false
}
