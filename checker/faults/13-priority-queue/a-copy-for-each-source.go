//go:build ignore

// Mistake: A key that becomes more urgent is queued once more, ahead of its old place, as two queues would
//   do.
// Killed by: two-sources-know-of-each-other
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority {
		return
	}
	e.priority = priority
	if e.stage != ready {
		return
	}
	more := *e
	more.order = q.place()
	if !e.locked {
		heap.Push(&q.ready, &more)
	}
}
