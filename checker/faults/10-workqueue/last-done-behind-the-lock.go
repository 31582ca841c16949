//go:build ignore

// Mistake: Done counts the items that workers hold down, and wakes the drain, when it has released the lock: between the
//   look of the drain and its wait.
// Killed by: drain-misses-no-done
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
	held         atomic.Int64

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
	q.held.Add(1)
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.done(item)
	q.release()
}

func (q *Queue[T]) done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
}

func (q *Queue[T]) release() {
	if q.held.Add(-1) == 0 {
		q.idle.Broadcast()
	}
}

func (q *Queue[T]) ShutDownWithDrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.shutDown()
	calledOff := q.calledOff
	for q.held.Load() > 0 && q.calledOff == calledOff {
		q.idle.Wait()
	}
}
