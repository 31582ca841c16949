//go:build ignore

// Mistake: No delay is longer than a week: that looked like an error of the caller. A certificate is renewed after two months.
// Killed by: earliest-time-wins
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	e.stage, e.readyAt, e.order = waiting, time.Now().Add(min(delay, 7*24*time.Hour)), q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}
