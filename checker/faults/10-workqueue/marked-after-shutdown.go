//go:build ignore

// Mistake: Add looks at the shutdown only before it queues the item, and has marked it dirty by then: the mark stays.
// Killed by: forgets-what-is-done
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.dirty.has(item) {
		return
	}
	held := q.processing.has(item)
	if held && q.shuttingDown {
		return
	}
	q.dirty.insert(item)
	if held || q.shuttingDown {
		return
	}
	q.enqueue(item)
}
