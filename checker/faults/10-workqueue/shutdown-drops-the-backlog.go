//go:build ignore

// Mistake: Get looks at the shutdown flag first, and what was accepted is never worked on.
// Killed by: shutdown-keeps-the-backlog
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if q.shuttingDown {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
