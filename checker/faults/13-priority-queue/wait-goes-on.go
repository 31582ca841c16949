//go:build ignore

// Mistake: An add without delay queues the key and leaves its wait as it is: it comes twice, as in
//   client-go's queue (kubernetes#126027).
// Killed by: earliest-time-wins
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		sooner := &entry[T]{key: e.key, priority: e.priority, locked: e.locked}
		q.makeReady(sooner)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
