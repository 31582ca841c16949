//go:build ignore

// Mistake: The ring looks at its size only when it has come to a round place: a burst of any other size leaves it large.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if r.head%1024 == 0 && len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
