//go:build ignore

// Mistake: A key that has succeeded needs no retry, so Forget takes it out of the queue: the add that waits may be somebody else's.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
)

// Forget tells the rate limiter to forget item, and calls off a retry that waits.
func (q *PriorityQueue[T]) Forget(item T) {
	q.limiter.Forget(item)
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	if e == nil || e.stage != waiting {
		return
	}
	heap.Remove(&q.waiting, e.index)
	e.stage = absent
	if !e.locked {
		delete(q.entries, item)
	}
}
