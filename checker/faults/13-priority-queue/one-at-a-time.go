//go:build ignore

// Mistake: The timer makes one key ready and is set for the next; with two due at once the second is already
//   past, and a time that is past is taken for none.
// Killed by: many-become-ready-at-once
// Verdict: wrong-answer

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
	if q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
	q.arm()
}
