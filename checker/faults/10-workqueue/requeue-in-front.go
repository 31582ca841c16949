//go:build ignore

// Mistake: A dirty item has been added long ago, so Done lets it jump the line.
// Killed by: requeue-goes-to-the-tail
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.queue = append(fifo[T]{item}, q.queue...)
		q.work.Signal()
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
