//go:build ignore

// Mistake: The values are moved to the front only when seven eighths of the slots before them are free. Until then the buffer grows.
// Killed by: size-of-what-is-pending
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	if r.head > 0 && len(r.slots) == cap(r.slots) && r.head >= len(r.slots)/8*7 {
		n := copy(r.slots, r.slots[r.head:])
		clear(r.slots[n:])
		r.slots, r.head = r.slots[:n], 0
	}
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
