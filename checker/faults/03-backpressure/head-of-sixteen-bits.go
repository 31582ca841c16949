//go:build ignore

// Mistake: The head of the ring is counted in sixteen bits: a larger ring begins again when its head has gone so far.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = int(uint16(r.head+1)) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
