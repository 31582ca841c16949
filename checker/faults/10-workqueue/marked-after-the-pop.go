//go:build ignore

// Mistake: Get pops in one critical section, and marks the item in the next one: an Add between them takes it for queued,
//   and its mark goes.
// Killed by: linearizable
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
	q.mu.Unlock()
	q.mu.Lock()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
