//go:build ignore

// Mistake: The heap of the waiting keys is put in order only if the key becomes the first of them. One that comes forward,
//   and not to the front, stays behind keys with later times.
// Killed by: earliest-time-wins
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		heap.Remove(&q.waiting, e.index)
		q.makeReady(e)
		return
	}
	at, first := time.Now().Add(delay), q.waiting.entries[0].readyAt
	if !at.Before(e.readyAt) {
		return
	}
	e.readyAt = at
	if e.index == 0 || at.Before(first) {
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
