//go:build ignore

// Mistake: The worker that an item has woken comes back for it by itself: a Done that queues the same item as the one before wakes nobody.
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
	told         bool
	last         T

	work sync.Cond
	idle sync.Cond
}

func (q *Queue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processing.remove(item)
	again := q.dirty.has(item)
	if again {
		q.queue.push(item)
		if !q.told || q.last != item {
			q.work.Signal()
		}
	}
	q.told, q.last = again, item
	if !q.busy() {
		q.idle.Broadcast()
	}
}
