//go:build ignore

// Mistake: The count of the events is noted when a pod becomes active, and not when it is taken. An event that comes while it waits
//   for a worker, which its attempt sees, counts as one that the attempt may have missed.
// Killed by: event-during-an-attempt
// Verdict: wrong-answer

package scheduler

import "container/heap"

func (q *queue) activate(e *entry) {
	q.arrivals++
	e.order = q.arrivals
	e.began = q.events
	q.active.push(e)
	q.wake()
}

func (q *queue) take() *entry {
	e := heap.Pop(&q.active).(*entry)
	q.inFlight++
	e.changed = false
	return e
}
