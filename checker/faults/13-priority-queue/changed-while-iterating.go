//go:build ignore

// Mistake: Keys are taken out of the line in the loop that walks along it (controller-runtime#3060).
// Killed by: many-become-ready-at-once
// Verdict: panic

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
	for i, e := range q.waiting.entries {
		if !e.readyAt.After(now) {
			q.makeReady(heap.Remove(&q.waiting, i).(*entry[T]))
		}
	}
	q.armed = time.Time{}
	q.arm()
}
