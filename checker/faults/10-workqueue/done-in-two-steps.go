//go:build ignore

// Mistake: Done takes the item out of the processed and wakes the drain under one lock, and queues the dirty item
//   under the next: a drain returns in between, and finds the queue empty.
// Killed by: linearizable
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	if q.ended(item) {
		q.again(item)
	}
}

func (q *Queue[T]) ended(item T) (dirty bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if !q.busy() {
		q.idle.Broadcast()
	}
	return q.dirty.has(item)
}

func (q *Queue[T]) again(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.enqueue(item)
}
