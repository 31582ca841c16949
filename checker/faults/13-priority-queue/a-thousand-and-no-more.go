//go:build ignore

// Mistake: So as not to hold the lock for long, the timer's function makes a thousand keys ready and leaves the rest to the next
//   run, which it does not set the timer to.
// Killed by: add-never-blocks
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
	for range 1000 {
		if q.waiting.Len() == 0 || q.waiting.entries[0].readyAt.After(now) {
			break
		}
		q.makeReady(heap.Pop(&q.waiting).(*entry[T]))
	}
}
