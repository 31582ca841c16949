//go:build ignore

// Mistake: A ring that shrinks gets its small size at once, although more values than that may be pending.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(smallSize)
	}
	return v
}
