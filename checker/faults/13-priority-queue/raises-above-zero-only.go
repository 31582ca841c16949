//go:build ignore

// Mistake: Priorities below zero belong to the resync, which has nothing to raise: a key goes up to 0 or above, or not at all.
// Killed by: raised-never-lowered
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority || priority < 0 {
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
