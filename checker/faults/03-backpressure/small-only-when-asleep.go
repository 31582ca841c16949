//go:build ignore

// Mistake: The ring is given back where Run goes to sleep: while handle works on the last value, nothing is pending and the ring is as large as ever.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package backpressure

func (p *Pump[T]) take() (v T, ok, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.n == 0 {
		p.pending = ring[T]{}
		return v, false, p.closed
	}
	return p.pending.pop(), true, false
}

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	return v
}
