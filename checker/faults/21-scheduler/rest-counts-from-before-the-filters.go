//go:build ignore

// Mistake: When no node is feasible, the backoff begins with the attempt, so that slow filters are a part of it.
// Killed by: backoff-doubles
// Verdict: wrong-answer

package scheduler

import (
	"container/heap"
	"time"
)

func (q *queue) take() *entry {
	e := heap.Pop(&q.active).(*entry)
	q.inFlight++
	e.began, e.changed = q.events, false
	e.rested = time.Now()
	return e
}

func (q *queue) refused(e *entry, now time.Time) bool {
	if q.overtaken(e) {
		return q.failed(e, e.rested)
	}
	if !q.back(e, e.rested) {
		return false
	}
	q.put(&q.unschedulable, e, now.Add(maxUnschedulable))
	return true
}
