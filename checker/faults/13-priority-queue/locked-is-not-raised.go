//go:build ignore

// Mistake: A locked key is in no line, so raising it is left to Done, which puts it back with the place it
//   had in its old priority.
// Killed by: queue-against-a-model
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority {
		return
	}
	e.priority = priority
	if e.stage != ready || e.locked {
		return
	}
	e.order = q.place()
	if !e.locked {
		heap.Fix(&q.ready, e.index)
	}
}
