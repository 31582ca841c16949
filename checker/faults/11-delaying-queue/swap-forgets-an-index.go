//go:build ignore

// Mistake: Swap moves two entries and writes the index of one: heap.Fix works on somebody else. Upstream's
//   own tests pass.
// Killed by: moved-forward-in-the-heap
// Verdict: wrong-answer

package delayingqueue

func (h byMoment[T]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index = i
}
