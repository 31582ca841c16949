//go:build ignore

// Mistake: The shorter delay counts, and not the earlier time: a key that has waited for most of ten seconds
//   is put off by an add with six.
// Killed by: earliest-time-wins
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

type entry[T comparable] struct {
	key      T
	stage    stage
	locked   bool
	priority int
	order    uint64
	readyAt  time.Time
	delay    time.Duration
	index    int
}

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	e.stage, e.readyAt, e.delay, e.order = waiting, time.Now().Add(delay), delay, q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		heap.Remove(&q.waiting, e.index)
		q.makeReady(e)
		return
	}
	if delay < e.delay {
		e.readyAt, e.delay = time.Now().Add(delay), delay
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
