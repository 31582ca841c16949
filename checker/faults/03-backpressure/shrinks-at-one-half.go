//go:build ignore

// Mistake: The buffer is halved as soon as half of it is empty: then one more value doubles it again, and one
//   less halves it.
// Killed by: constant-time
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/2 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
