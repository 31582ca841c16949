//go:build ignore

// Mistake: Done wakes nobody unless somebody waits, by a count of its own. A goroutine that was woken, found its
//   item taken and waits again is not counted.
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
	waiting      int

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) enqueue(item T) {
	q.queue.push(item)
	if q.waiting > 0 {
		q.waiting--
	}
	q.work.Signal()
}

func (q *Queue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.queue) == 0 && !q.shuttingDown {
		q.waiting++
	}
	for len(q.queue) == 0 && !q.shuttingDown {
		q.work.Wait()
	}
	if len(q.queue) == 0 {
		return item, true
	}
	item = q.queue.pop()
	q.processing.insert(item)
	q.dirty.remove(item)
	return item, false
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	if q.dirty.has(item) {
		q.queue.push(item)
		if q.waiting > 0 {
			q.waiting--
			q.work.Signal()
		}
	}
	if !q.busy() {
		q.idle.Broadcast()
	}
}
