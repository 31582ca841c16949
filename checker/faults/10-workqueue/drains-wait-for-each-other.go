//go:build ignore

// Mistake: The end of the work ends a drain if it is the only one. Of two drains none returns.
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
	if !q.busy() && q.drains == 1 {
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.drains++
	defer func() { q.drains-- }()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
