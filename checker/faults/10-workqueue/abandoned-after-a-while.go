//go:build ignore

// Mistake: An item that a worker has held for five minutes is taken for abandoned, and the next Add queues it.
// Killed by: add-while-processing-waits
// Verdict: wrong-answer

package workqueue

import (
	"sync"
	"time"
)

type Queue[T comparable] struct {
	mu sync.Mutex

	queue      fifo[T]
	dirty      set[T]
	processing set[T]

	shuttingDown bool
	calledOff    int
	since        map[any]time.Time

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shuttingDown || q.dirty.has(item) {
		return
	}
	q.dirty.insert(item)
	if q.processing.has(item) && time.Since(q.since[item]) < 5*time.Minute {
		return
	}
	q.enqueue(item)
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
	if q.since == nil {
		q.since = map[any]time.Time{}
	}
	q.since[item] = time.Now()
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	delete(q.since, item)
	if q.dirty.has(item) {
		q.enqueue(item)
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
