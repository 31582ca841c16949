//go:build ignore

// Mistake: Len only reads two numbers, and reading is taken to need no lock.
// Killed by: one-worker-per-key
// Verdict: data-race

package priorityqueue

func (q *PriorityQueue[T]) Len() int {
	return q.ready.Len() + q.parked
}
