//go:build ignore

// Mistake: Of a key that a worker holds, the delays are compared, not the times: its wait is thought to begin at Done.
// Killed by: every-add-in-every-state
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
	if at := time.Now().Add(delay); at.Before(e.readyAt) || e.locked && delay < e.delay {
		e.readyAt, e.delay = at, delay
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
