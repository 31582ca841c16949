//go:build ignore

// Mistake: A pod that was deleted while it was being tried is put into a queue, from which nothing will take
//   it.
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) back(e *entry, now time.Time) bool {
	q.inFlight--
	e.failures++
	e.rested = now.Add(backoffAfter(e.failures))
	return true
}
