//go:build ignore

// Mistake: Done wakes nobody unless a flag says that a drain waits. A drain that ShutDown has ended takes the flag away, also
//   where the next drain has set it already.
// Killed by: shutdown-aborts-a-drain
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
	draining     bool

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
	if q.draining && !q.busy() {
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.draining = true
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
	q.draining = false
}
