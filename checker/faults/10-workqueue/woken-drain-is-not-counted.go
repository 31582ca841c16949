//go:build ignore

// Mistake: Done wakes the drains that are counted and counts none any longer. One that finds the worker busy again and waits on
//   is not counted anew.
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
	if len(q.processing) == 0 && q.drains > 0 {
		q.drains = 0
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	if len(q.processing) > 0 {
		q.drains++
	}
	calledOff := q.calledOff
	for len(q.processing) > 0 && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
