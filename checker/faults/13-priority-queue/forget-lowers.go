//go:build ignore

// Mistake: Forget means that nothing is wrong with the key any longer, so it is no longer urgent.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) Forget(item T) {
	q.limiter.Forget(item)
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[item]; e != nil && e.stage == waiting {
		e.priority = 0
	}
}
