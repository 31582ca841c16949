//go:build ignore

// Mistake: Done leaves a mark when nothing is left to do, and nobody takes it away when more is added: a later drain
//   finds it and goes.
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
	over         bool

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
	if !q.busy() {
		q.over = true
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	if !q.busy() {
		return
	}
	for !q.over && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
