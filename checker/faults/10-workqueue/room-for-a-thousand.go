//go:build ignore

// Mistake: The queue has a bound, as a buffered channel has, and Add waits for room: the event handler stands
//   still.
// Killed by: add-waits-for-nobody
// Verdict: deadlock

package workqueue

func (q *Queue[T]) enqueue(item T) {
	for len(q.queue) == 1024 {
		q.idle.Wait()
	}
	q.queue.push(item)
	q.work.Signal()
}
