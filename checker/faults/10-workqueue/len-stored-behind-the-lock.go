//go:build ignore

// Mistake: Add stores the length for Len when it has released the lock: of two Adds the one with the older length may
//   store it last.
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
	length       atomic.Int64

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Add(item T) {
	length := q.add(item)
	q.length.Store(int64(length))
}

func (q *Queue[T]) add(item T) (length int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown || q.dirty.has(item) {
		return len(q.queue)
	}
	q.dirty.insert(item)
	if !q.processing.has(item) {
		q.enqueue(item)
	}
	return len(q.queue)
}

func (q *Queue[T]) Len() int { return int(q.length.Load()) }

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
	q.length.Store(int64(len(q.queue)))
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.enqueue(item)
		q.length.Store(int64(len(q.queue)))
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
