//go:build ignore

// Mistake: The timer fires once and is not set for the key that is due next.
// Killed by: waits-its-time
// Verdict: deadlock

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) promote() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
}
