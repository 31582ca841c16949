//go:build ignore

// Mistake: Done queues nothing once the queue is shutting down, and a change that was accepted is lost.
// Killed by: drain-requeues-the-dirty
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) && !q.shuttingDown {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
