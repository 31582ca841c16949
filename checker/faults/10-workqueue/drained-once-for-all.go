//go:build ignore

// Mistake: The end of a drain leaves a mark, and a later drain goes at once: but the first may have returned
//   while more was queued, which is being processed now.
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
	drained      bool

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for len(q.processing) > 0 && !q.drained && q.calledOff == calledOff {
		q.idle.Wait()
	}
	q.drained = true
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if len(q.processing) == 0 {
		q.idle.Broadcast()
	}
}
