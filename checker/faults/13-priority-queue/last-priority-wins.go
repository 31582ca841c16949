//go:build ignore

// Mistake: The newest add knows best: the resync lowers what a user's edit had raised.
// Killed by: raised-never-lowered
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority == e.priority {
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
