//go:build ignore

// Mistake: The delay of a key that a worker holds begins with Done, and not with the add.
// Killed by: locked-key-starts-afresh
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) Done(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	if e == nil || !e.locked {
		return
	}
	e.locked = false
	switch e.stage {
	case absent:
		delete(q.entries, item)
	case waiting:
		e.readyAt = e.readyAt.Add(time.Since(e.addedAt))
		heap.Fix(&q.waiting, e.index)
		q.arm()
	case ready:
		q.parked--
		q.offer(e)
	}
}

type entry[T comparable] struct {
	key      T
	stage    stage
	locked   bool
	priority int
	order    uint64
	addedAt  time.Time
	readyAt  time.Time
	index    int
}

func (q *PriorityQueue[T]) enter(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.makeReady(e)
		return
	}
	e.addedAt = time.Now()
	e.stage, e.readyAt, e.order = waiting, e.addedAt.Add(delay), q.place()
	heap.Push(&q.waiting, e)
	q.arm()
}
