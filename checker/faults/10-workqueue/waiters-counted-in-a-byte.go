//go:build ignore

// Mistake: Waiting Gets are counted in 8 bits, so that Add wakes nobody while 256 of them wait.
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
	waiting      uint8

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	if q.waiting > 0 {
		q.work.Signal()
	}
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.queue) == 0 && !q.shuttingDown {
		q.waiting++
		q.work.Wait()
		q.waiting--
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}
