//go:build ignore

// Mistake: Once the queue is shut down nobody cares about memory, the author thinks: the slot of a popped item
//   is cleared only before that.
// Killed by: forgets-what-is-done
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
	if q.shuttingDown {
		item = q.queue[0]
		q.queue = q.queue[1:]
	} else {
		item = q.queue.pop()
	}
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
