//go:build ignore

// Mistake: Len makes ready what is due, so that it is exact, and sets the timer to the next key: after ShutDown, too.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.arm()
	return q.ready.Len() + q.parked
}
