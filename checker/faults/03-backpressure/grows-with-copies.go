//go:build ignore

// Mistake: The ring grows like a slice, and what had gone around is copied behind it: the old places at the front keep their values.
// Killed by: forgets-what-was-handled
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) && r.n > 0 {
		old := len(r.slots)
		slots := make([]T, 2*old)
		copy(slots, r.slots)
		copy(slots[old:], r.slots[:r.head])
		r.slots = slots
	} else if r.n == 0 && len(r.slots) == 0 {
		r.resize(firstSize)
	}
	r.slots[(r.head+r.n)&(len(r.slots)-1)] = v
	r.n++
}
