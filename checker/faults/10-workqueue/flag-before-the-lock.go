//go:build ignore

// Mistake: ShuttingDown reads an atomic that the shutdown sets before it has the lock: it says true while Add
//   still takes items.
// Killed by: linearizable
// Verdict: wrong-answer

package workqueue

import (
	"sync"
	"sync/atomic"
)

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int
	flag         atomic.Bool

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) ShutDown() {
	q.flag.Store(true)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	q.calledOff++
	q.idle.Broadcast()
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.flag.Store(true)
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for q.busy() && q.calledOff == calledOff {
		q.idle.Wait()
	}
}

func (q *Queue[T]) ShuttingDown() bool { return q.flag.Load() }
