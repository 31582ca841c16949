//go:build ignore

// Mistake: After a shutdown there is nothing to do, so the timer looks at the flag before it takes the lock.
// Killed by: shutdown-with-a-backlog
// Verdict: data-race

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) promote() {
	if q.shutdown {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.armed = time.Time{}
	q.arm()
}
