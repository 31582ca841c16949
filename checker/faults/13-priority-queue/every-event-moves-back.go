//go:build ignore

// Mistake: Adding a ready key again sends it to the back, so an object that changes all the time is never
//   reached.
// Killed by: fifo-within-a-priority
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	e.priority = max(e.priority, priority)
	if e.stage != ready {
		return
	}
	e.order = q.place()
	if !e.locked {
		heap.Fix(&q.ready, e.index)
	}
}
