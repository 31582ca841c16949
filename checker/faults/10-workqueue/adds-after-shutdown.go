//go:build ignore

// Mistake: ShutDown only wakes the workers; Add goes on accepting, and the queue may never run empty.
// Killed by: shutdown-keeps-the-backlog
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	if q.processing.has(item) {
		return
	}
	q.enqueue(item)
}
