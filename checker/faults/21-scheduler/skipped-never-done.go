//go:build ignore

// Mistake: An attempt that is skipped because its pod is gone is not ended: the pod is in flight for ever
//   (kubernetes#120622).
// Killed by: gone-in-flight
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) back(e *entry, now time.Time) bool {
	if e.gone {
		return false
	}
	q.inFlight--
	e.failures++
	e.rested = now.Add(backoffAfter(e.failures))
	return true
}
