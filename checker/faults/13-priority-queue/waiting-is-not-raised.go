//go:build ignore

// Mistake: Only ready keys are in the line of priorities, so only theirs are looked after.
// Killed by: raised-never-lowered
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority || e.stage != ready {
		return
	}
	e.priority = priority
	if e.stage != ready {
		return
	}
	e.order = q.place()
	if !e.locked {
		heap.Fix(&q.ready, e.index)
	}
}
