//go:build ignore

// Mistake: A key that becomes urgent brings its old place along and pushes in front of those that were urgent
//   before it.
// Killed by: raised-never-lowered
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
	if !e.locked {
		heap.Fix(&q.ready, e.index)
	}
}
