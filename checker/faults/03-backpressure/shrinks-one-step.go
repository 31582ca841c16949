//go:build ignore

// Mistake: A ring that runs empty is halved, once: after a large burst it stays large.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n == 0 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
