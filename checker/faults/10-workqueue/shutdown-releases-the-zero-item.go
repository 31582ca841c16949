//go:build ignore

// Mistake: A Get that says shutdown takes the zero value that it returns out of the processing set, although another worker may
//   hold that item.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		q.processing.remove(item)
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
