//go:build ignore

// Mistake: the timer fires as the queue is shut down, finds that it has nothing to do, and returns with the lock held.
// Killed by: shutdown-releases-everyone
// Verdict: deadlock

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) promote() {
	q.mu.Lock()
	if q.shutdown {
		return
	}
	defer q.mu.Unlock()
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.armed = time.Time{}
	q.arm()
}
