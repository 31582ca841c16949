//go:build ignore

// Mistake: Add trusts the processing set alone, and queues an item as often as it is added.
// Killed by: added-twice-queued-once
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
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
