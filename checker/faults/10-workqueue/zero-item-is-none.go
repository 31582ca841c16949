//go:build ignore

// Mistake: Add takes the zero value of T for no item at all.
// Killed by: first-in-first-out
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var none T
	if q.shuttingDown || item == none || q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	if !q.processing.has(item) {
		q.enqueue(item)
	}
}
