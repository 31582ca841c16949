//go:build ignore

// Mistake: What became dirty before a shutdown is put in front of the backlog, so that it is done before the queue ends.
// Killed by: drain-requeues-the-dirty
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
		if n := len(q.queue) - 1; q.shuttingDown && q.calledOff == 0 {
			copy(q.queue[1:], q.queue[:n])
			q.queue[0] = item
		}
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
