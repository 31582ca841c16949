//go:build ignore

// Mistake: When the ring grows the slots are copied as they stand: after the first wrap the order is gone.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) resize(size int) {
	slots := make([]T, size)
	copy(slots, r.slots)
	r.slots, r.head = slots, 0
}
