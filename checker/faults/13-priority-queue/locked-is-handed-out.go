//go:build ignore

// Mistake: A key that is added while a worker holds it goes straight to another worker.
// Killed by: locked-key-is-skipped
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) makeReady(e *entry[T]) {
	e.stage, e.order = ready, q.place()
	q.offer(e)
}
