//go:build ignore

// Mistake: The Adds of an item that is being processed are counted in 16 bits, and after 65536 of them Done sees none.
// Killed by: many-adds-one-requeue
// Verdict: wrong-answer

package workqueue

import "sync"

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]
	again      map[T]uint16

	shuttingDown bool
	calledOff    int

	work sync.Cond
	idle sync.Cond
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T]), again: map[T]uint16{}}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.shuttingDown:
	case q.processing.has(item):
		q.again[item]++
	case !q.dirty.has(item):
		q.dirty.insert(item)
		q.enqueue(item)
	}
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.again[item] > 0 {
		q.dirty.insert(item)
		q.enqueue(item)
	}
	delete(q.again, item)
	if !q.busy() {
		q.idle.Broadcast()
	}
}
