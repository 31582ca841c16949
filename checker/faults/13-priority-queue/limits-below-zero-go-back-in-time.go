//go:build ignore

// Mistake: A limit below 0 is a time in the past, so the key waits until the timer finds that it is due. Of several, the
//   one with the earliest time goes first.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) { q.add(item, 0, max(after, 0)) }

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return max(o.After, 0)
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay == 0 {
		q.makeReady(e)
		return
	}
	e.stage, e.readyAt, e.order = waiting, time.Now().Add(delay), q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}
