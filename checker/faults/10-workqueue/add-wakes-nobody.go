//go:build ignore

// Mistake: The Signal in Add is missing. Workers that are never idle do not need it, and upstream's own tests
//   pass without.
// Killed by: each-item-wakes-a-getter
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
	if q.processing.has(item) {
		return
	}
	q.queue.push(item)
}
