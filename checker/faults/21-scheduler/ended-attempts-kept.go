//go:build ignore

// Mistake: A pod that has its node is never taken off the map of those that wait.
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

func (q *queue) done(e *entry) {
	q.inFlight--
}
