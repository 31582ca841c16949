//go:build ignore

// Mistake: Add asks whether the item is dirty under one lock and marks it under the next, so two handlers
//   queue it twice.
// Killed by: linearizable
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	if !q.isDirty(item) {
		q.mark(item)
	}
}

func (q *Queue[T]) isDirty(item T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.dirty.has(item)
}

func (q *Queue[T]) mark(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	q.dirty.insert(item)
	if q.processing.has(item) {
		return
	}
	q.enqueue(item)
}
