//go:build ignore

// Mistake: Done waits for room in the queue before it queues a dirty item. When all workers wait there, nobody takes
//   any.
// Killed by: requeue-goes-to-the-tail
// Verdict: deadlock

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		for len(q.queue) >= 4096 {
			q.idle.Wait()
		}
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
