//go:build ignore

// Mistake: The ring grows sixteenfold, so that it seldom has to: most of it is never used.
// Killed by: size-of-what-is-pending
// Verdict: wrong-answer

package backpressure

const firstSize = 1024

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		r.resize(max(16*len(r.slots), firstSize))
	}
	r.slots[(r.head+r.n)&(len(r.slots)-1)] = v
	r.n++
}
