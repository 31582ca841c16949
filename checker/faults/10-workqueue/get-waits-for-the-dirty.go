//go:build ignore

// Mistake: After a shutdown Get waits for dirty items that others hold, and keeps a worker that has nothing
//   to do.
// Killed by: drain-requeues-the-dirty
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && (!q.shuttingDown || len(q.dirty) > 0) {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
