//go:build ignore

// Mistake: Taking the first value moves all others one place forward: cheap for ten values, and a burst of a
//   hundred thousand never ends.
// Killed by: constant-time
// Verdict: timeout

package backpressure

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.n--
	copy(r.slots, r.slots[1:r.n+1])
	r.slots[r.n] = zero
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
