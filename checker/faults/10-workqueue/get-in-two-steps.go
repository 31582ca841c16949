//go:build ignore

// Mistake: Get pops in one critical section and marks the item as processing in the next; an Add between them
//   queues it for a second worker.
// Killed by: one-worker-per-item
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	if item, shutdown = q.take(); !shutdown {
		q.hold(item)
	}
	return item, shutdown
}

func (q *Queue[T]) hold(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.insert(item)
}

func (q *Queue[T]) take() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.dirty.remove(item)
	return item, false
}
