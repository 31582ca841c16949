//go:build ignore

// Mistake: Nobody takes the item out of the dirty set, so Done queues it again each time: the worker never
//   rests.
// Killed by: added-twice-queued-once
// Verdict: wrong-answer

package workqueue

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	return item, false
}
