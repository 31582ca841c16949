//go:build ignore

// Mistake: The timer is stopped when nothing waits any longer, and what it is set to stays noted: the next key of that very moment gets no timer.
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
		if q.waiting.Len() == 0 {
			q.timer.Stop()
		}
		q.makeReady(e)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
