//go:build ignore

// Mistake: Drainers and workers wait on one condition, and one Signal after each Done is believed to reach
//   the right one.
// Killed by: drain-waits-for-workers
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.work.Signal()
	}
}
