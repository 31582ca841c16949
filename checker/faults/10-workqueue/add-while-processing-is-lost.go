//go:build ignore

// Mistake: An item that a worker holds is already being taken care of, so Add does nothing for it.
// Killed by: many-adds-one-requeue
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	if q.processing.has(item) || q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	if q.processing.has(item) {
		return
	}
	q.enqueue(item)
}
