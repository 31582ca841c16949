//go:build ignore

// Mistake: A drain of a queue that has no work left has nothing to do, and returns before it shuts the queue down.
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
	used         bool

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.used = true
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.used && !q.busy() {
		return
	}
	q.shutDown()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
