//go:build ignore

// Mistake: Get does not wait: with nothing queued it says that the queue is shut down.
// Killed by: add-while-processing-waits
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
