//go:build ignore

// Mistake: After a burst the processing set is made anew when the queue is empty, because a map does not shrink:
//   nobody knows what other workers still hold, and an Add queues it.
// Killed by: requeue-goes-to-the-tail
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int
	burst        bool

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	q.burst = q.burst || len(q.queue) > 1000
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if q.burst && len(q.queue) == 0 {
		q.processing, q.burst = make(set[T]), false
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
