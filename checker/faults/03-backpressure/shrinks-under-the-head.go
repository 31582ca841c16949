//go:build ignore

// Mistake: When the ring shrinks the values move to the front, and the head stays where it was in the old
//   slots.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) resize(size int) {
	slots := make([]T, size)
	front := copy(slots, r.slots[r.head:min(r.head+r.n, len(r.slots))])
	copy(slots[front:], r.slots[:r.n-front])
	if size > len(r.slots) {
		r.head = 0
	}
	r.slots = slots
}
