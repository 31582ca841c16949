//go:build ignore

// Mistake: A key that is brought forward gets a new timer, and nobody stops the old one: it does no harm when it fires.
//   Until then, hours after ShutDown, it keeps the queue.
// Killed by: lets-go-of-keys
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
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.timer, q.armed = nil, time.Time{}
		q.arm()
	}
}
