//go:build ignore

// Mistake: Done puts a dirty item back and trusts that the worker that called it will call Get next.
// Killed by: each-item-wakes-a-getter
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.queue.push(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
