//go:build ignore

// Mistake: What is being processed is counted, and the count has eight bits: while 256 workers are busy a drain returns.
// Killed by: drain-waits-for-workers
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
	working      uint8

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
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	q.working++
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	q.working--
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if q.working == 0 {
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for q.working > 0 && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
