//go:build ignore

// Mistake: An attempt that an event has overtaken does not count as failed: with an event in each attempt the pod is
//   tried every second, for ever.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) refused(e *entry, now time.Time) bool {
	overtaken, failures := q.overtaken(e), e.failures
	if !q.back(e, now) {
		return false
	}
	if !overtaken {
		q.put(&q.unschedulable, e, now.Add(maxUnschedulable))
		return true
	}
	e.failures, e.rested = failures, now.Add(initialBackoff)
	q.put(&q.backoff, e, e.rested)
	return true
}
