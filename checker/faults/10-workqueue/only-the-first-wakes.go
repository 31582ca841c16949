//go:build ignore

// Mistake: Where items are queued already somebody must be awake to take them, the author thinks, and wakes a worker
//   for the first alone.
// Killed by: each-item-wakes-a-getter
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	if len(q.queue) == 1 {
		q.work.Signal()
	}
}
