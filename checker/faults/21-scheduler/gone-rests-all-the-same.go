//go:build ignore

// Mistake: After a failed attempt the pod rests. That it is no longer pending the next attempt will see.
// Killed by: late-answer
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) failed(e *entry, now time.Time) bool {
	q.inFlight--
	e.failures++
	e.rested = now.Add(backoffAfter(e.failures))
	q.put(&q.backoff, e, e.rested)
	return true
}
