//go:build ignore

// Mistake: a rise is found by subtraction, which overflows when two priorities are far apart.
// Killed by: raised-never-lowered
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority-e.priority <= 0 {
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
