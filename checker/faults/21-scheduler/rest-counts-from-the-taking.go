//go:build ignore

// Mistake: The backoff begins when the pod is taken, so that a slow Update is a part of it.
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

func (q *queue) back(e *entry, now time.Time) bool {
	if e.gone {
		q.done(e)
		return false
	}
	q.inFlight--
	e.failures++
	e.rested = e.rested.Add(backoffAfter(e.failures))
	return true
}
