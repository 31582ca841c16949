//go:build ignore

// Mistake: The ring grows sixteenfold from 16 slots on: 4096 are few, and the next are 65536.
// Killed by: size-of-what-is-pending
// Verdict: wrong-answer

package backpressure

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		r.resize(max(16*len(r.slots), firstSize))
	}
	r.slots[(r.head+r.n)&(len(r.slots)-1)] = v
	r.n++
}
