//go:build ignore

// Mistake: Get looks at an atomic length, which Add raises when it has released the lock: between the look and the wait.
// Killed by: each-item-wakes-a-getter
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
	if q.add(item) {
		q.announce()
	}
}

func (q *Queue[T]) add(item T) (queued bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown || q.dirty.has(item) {
		return false
	}
	q.dirty.insert(item)
	if q.processing.has(item) {
		return false
	}
	q.queue.push(item)
	return true
}

func (q *Queue[T]) announce() {
	q.length.Add(1)
	q.work.Signal()
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.length.Load() <= 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.length.Add(-1)
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	q.announce()
}
