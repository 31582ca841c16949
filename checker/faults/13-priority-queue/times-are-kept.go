//go:build ignore

// Mistake: The queue counts how many keys wait for each time, and counts down only when that time comes: a wait that an
//   add ends leaves its time behind.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

type line[T comparable] struct {
	entries []*entry[T]
	before  func(a, b *entry[T]) bool
	times   map[time.Time]int
}

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	e.stage, e.readyAt, e.order = waiting, time.Now().Add(delay), q.place()
	if q.waiting.times == nil {
		q.waiting.times = map[time.Time]int{}
	}
	q.waiting.times[e.readyAt]++
	heap.Push(&q.waiting, e)
	q.arm()
}

func (q *PriorityQueue[T]) promote() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	now := time.Now()
	for q.waiting.Len() > 0 && !q.waiting.entries[0].readyAt.After(now) {
		e := heap.Pop(&q.waiting).(*entry[T])
		if q.waiting.times[e.readyAt]--; q.waiting.times[e.readyAt] <= 0 {
			delete(q.waiting.times, e.readyAt)
		}
		q.makeReady(e)
	}
	q.armed = time.Time{}
	q.arm()
}
