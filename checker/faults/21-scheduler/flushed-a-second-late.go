//go:build ignore

// Mistake: Only every 31st second the scheduler looks whether a pod has been unschedulable for five minutes.
// Killed by: flushed-after-five-minutes
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
	const tick = 31 * time.Second
	until := now.Add(maxUnschedulable).Truncate(tick).Add(tick)
	q.put(&q.unschedulable, e, until)
	return true
}
