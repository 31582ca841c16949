//go:build ignore

// Mistake: The item is taken out of the dirty set by Done and not by Get, so every Add during the work is
//   swallowed.
// Killed by: many-adds-one-requeue
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	q.dirty.remove(item)
	if !q.busy() {
		q.idle.Broadcast()
	}
}
