//go:build ignore

// Mistake: A pod that was taken out of a heap still stands behind the end of its slice (the mistake of
//   kubernetes#104991).
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

func (h *podHeap) Pop() any {
	last := len(h.entries) - 1
	e := h.entries[last]
	h.entries = h.entries[:last]
	e.in = nil
	return e
}
