//go:build ignore

// Mistake: A pod for which there is no node is tried again after its backoff, and again, and again.
// Killed by: unschedulable-waits
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) refused(e *entry, now time.Time) bool {
	if q.overtaken(e) {
		return q.failed(e, now)
	}
	if !q.back(e, now) {
		return false
	}
	q.put(&q.backoff, e, e.rested)
	return true
}
