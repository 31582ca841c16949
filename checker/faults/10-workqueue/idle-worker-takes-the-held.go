//go:build ignore

// Mistake: While a worker waits in Get an item that another one holds is queued at once: somebody has time for it.
// Killed by: add-while-processing-waits
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
	waiting      int

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
	if q.processing.has(item) && q.waiting == 0 {
		return
	}
	q.enqueue(item)
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
