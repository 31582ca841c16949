//go:build ignore

// Mistake: How often Done has queued an item again is counted, and forgotten when nothing is queued or being processed.
// Killed by: forgets-what-is-done
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
	requeues     map[T]int

	work sync.Cond
	idle sync.Cond
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T]), requeues: map[T]int{}}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.requeues[item]++
		q.enqueue(item)
	}
	if !q.busy() {
		clear(q.requeues)
		q.idle.Broadcast()
	}
}
