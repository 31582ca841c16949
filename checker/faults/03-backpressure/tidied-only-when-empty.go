//go:build ignore

// Mistake: Slots before the head are used again only when the buffer runs empty; a busy pump never does.
// Killed by: size-of-what-is-pending
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	r.slots = append(r.slots, v)
	r.n++
}

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head++
	r.n--
	if r.n == 0 {
		r.resize(0)
	}
	return v
}
