//go:build ignore

// Mistake: A large ring is soon replaced by a smaller one, so that only the slots of a small one are zeroed.
// Killed by: forgets-what-was-handled
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	if len(r.slots) <= smallSize {
		var zero T
		r.slots[r.head] = zero
	}
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
