//go:build ignore

// Mistake: A key keeps the place it had when it was added, and after its delay pushes in front of keys that
//   were ready before it.
// Killed by: priority-outranks-time
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) makeReady(e *entry[T]) {
	if e.stage != waiting {
		e.order = q.place()
	}
	e.stage = ready
	if e.locked {
		q.parked++
		return
	}
	q.offer(e)
}
