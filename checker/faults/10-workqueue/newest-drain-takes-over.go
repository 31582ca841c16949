//go:build ignore

// Mistake: The drain that was called last is the one that waits: older ones give up as soon as a Done wakes them.
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
	drains       int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.drains++
	drain, calledOff := q.drains, q.calledOff
	for q.busy() && q.calledOff == calledOff && q.drains == drain {
		q.idle.Wait()
	}
}
