//go:build ignore

// Mistake: Done takes the zero value for no item, and returns.
// Killed by: many-adds-one-requeue
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	var none T
	if item == none {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
