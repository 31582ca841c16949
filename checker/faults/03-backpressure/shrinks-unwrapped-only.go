//go:build ignore

// Mistake: The ring shrinks only while its values lie in one piece: if they go around its end until the last few, it stays large.
// Killed by: gives-memory-back
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 && r.head+r.n <= len(r.slots) {
		r.resize(len(r.slots) / 2)
	}
	return v
}
