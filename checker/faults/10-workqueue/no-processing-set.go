//go:build ignore

// Mistake: A channel with a set in front of it: whatever is not queued may be queued, although a worker holds
//   it.
// Killed by: add-while-processing-waits
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown {
		return
	}
	if q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	q.enqueue(item)
}
