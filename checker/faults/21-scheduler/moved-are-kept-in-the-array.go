//go:build ignore

// Mistake: When an event moves all unschedulable pods, the slice of the queue is cut to nothing and used again. Its array still has
//   them, also when they are gone.
// Killed by: forgets-the-gone
// Verdict: wrong-answer

package scheduler

import (
	"slices"
	"time"
)

func (q *queue) moveAll(now time.Time) {
	q.events++
	parked := slices.Clone(q.unschedulable.entries)
	q.unschedulable.entries = q.unschedulable.entries[:0]
	for _, e := range parked {
		if now.Before(e.rested) {
			q.put(&q.backoff, e, e.rested)
		} else {
			q.activate(e)
		}
	}
}
