//go:build ignore

// Mistake: The clock hears only of the first pod in an empty heap, not of one whose time comes before that of the others.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) put(h *podHeap, e *entry, until time.Time) {
	e.until = until
	h.push(e)
	if len(h.entries) == 1 {
		q.ring()
	}
}
