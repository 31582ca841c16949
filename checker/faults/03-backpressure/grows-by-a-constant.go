//go:build ignore

// Mistake: The buffer grows by 1024 slots at a time: the larger it is, the more often all of it is moved for
//   nothing.
// Killed by: constant-time
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		r.resize(len(r.slots) + smallSize)
	}
	r.slots[(r.head+r.n)%len(r.slots)] = v
	r.n++
}

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) % len(r.slots)
	r.n--
	if r.n == 0 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
