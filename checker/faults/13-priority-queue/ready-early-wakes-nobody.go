//go:build ignore

// Mistake: A waiting key that an add makes ready wakes a getter only if no other key is ready: the one that is ready has
//   woken somebody already.
// Killed by: done-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		heap.Remove(&q.waiting, e.index)
		if e.locked || q.ready.Len() == 0 {
			q.makeReady(e)
			return
		}
		e.stage, e.order = ready, q.place()
		heap.Push(&q.ready, e)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
