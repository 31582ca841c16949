//go:build ignore

// Mistake: An Add that repeats another returns before it takes the lock. So what its caller wrote before need not be
//   seen by the worker.
// Killed by: everything-at-once
// Verdict: data-race

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]
	marked     sync.Map // what is dirty, for callers that hold no lock

	shuttingDown bool
	calledOff    int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Add(item T) {
	if _, ok := q.marked.Load(item); ok {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown || q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	q.marked.Store(item, true)
	if !q.processing.has(item) {
		q.enqueue(item)
	}
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
	q.processing.insert(item)
	q.dirty.remove(item)
	q.marked.Delete(item)
	return item, false
}
