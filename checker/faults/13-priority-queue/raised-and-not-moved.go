//go:build ignore

// Mistake: The priority is changed in place and the heap is not told.
// Killed by: two-sources-know-of-each-other
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) raise(e *entry[T], priority int) {
	if priority <= e.priority {
		return
	}
	e.priority = priority
	if e.stage != ready {
		return
	}
	e.order = q.place()
}
