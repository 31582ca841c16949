//go:build ignore

// Mistake: A timer wakes all who wait each second, in case a signal was lost. It hides the lost signal, and
//   keeps an idle process busy.
// Killed by: get-waits-asleep
// Verdict: wrong-answer

package workqueue

import "time"

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		again := time.AfterFunc(time.Second, q.work.Broadcast)
		q.work.Wait()
		again.Stop()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
