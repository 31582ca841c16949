//go:build ignore

// Mistake: While the queue is empty Get unlocks, locks and looks again: no wake-up can be lost, and a core
//   is.
// Killed by: get-waits-asleep
// Verdict: timeout

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.mu.Unlock()
		q.mu.Lock()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
