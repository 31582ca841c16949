//go:build ignore

// Mistake: The clock sleeps until the time that it saw when it went to sleep; a pod that is due sooner waits
//   for it.
// Killed by: conflict-tries-again
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) put(h *podHeap, e *entry, until time.Time) {
	e.until = until
	h.push(e)
}
