//go:build ignore

// Mistake: Get sleeps a millisecond between two checks; forty quiet controllers check two hundred thousand
//   times a second.
// Killed by: get-waits-asleep
// Verdict: wrong-answer

package workqueue

import "time"

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.mu.Unlock()
		time.Sleep(time.Millisecond)
		q.mu.Lock()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
