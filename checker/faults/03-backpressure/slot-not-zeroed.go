//go:build ignore

// Mistake: The slot keeps its value until it is used again (kubernetes#104991).
// Killed by: forgets-what-was-handled
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
