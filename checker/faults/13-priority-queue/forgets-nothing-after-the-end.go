//go:build ignore

// Mistake: After ShutDown Forget does nothing, and a limiter that another queue uses, too, remembers the key's failures.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) Forget(item T) {
	if q.ShuttingDown() {
		return
	}
	q.limiter.Forget(item)
}
