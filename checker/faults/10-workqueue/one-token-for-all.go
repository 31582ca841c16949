//go:build ignore

// Mistake: A channel with room for one token wakes those in Get. Where two have looked and do not wait yet, the second
//   token is dropped, and nobody passes the first one on.
// Killed by: each-item-wakes-a-getter
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
	token        chan struct{}
	down         chan struct{}

	work sync.Cond
	idle sync.Cond
}

func New[T comparable]() *Queue[T] {
	q := &Queue[T]{dirty: make(set[T]), processing: make(set[T]), token: make(chan struct{}, 1), down: make(chan struct{})}
	q.work.L, q.idle.L = &q.mu, &q.mu
	return q
}

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	select {
	case q.token <- struct{}{}:
	default:
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.mu.Unlock()
		q.await()
		q.mu.Lock()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) await() {
	select {
	case <-q.token:
	case <-q.down:
	}
}

func (q *Queue[T]) shutDown() {
	if !q.shuttingDown {
		close(q.down)
	}
	q.shuttingDown = true
}
