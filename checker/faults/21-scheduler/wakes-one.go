//go:build ignore

// Mistake: A node has come: one pod is woken, and the others will be by the next node.
// Killed by: unschedulable-waits
// Verdict: wrong-answer

package scheduler

import "time"

func (q *queue) moveAll(now time.Time) {
	q.events++
	if len(q.unschedulable.entries) > 0 {
		q.move(q.unschedulable.entries[len(q.unschedulable.entries)-1], now)
	}
}
