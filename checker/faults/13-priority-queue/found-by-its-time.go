//go:build ignore

// Mistake: A waiting key is looked for by its time: of several that are due at one moment, the wrong one leaves the line.
// Killed by: many-become-ready-at-once
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"slices"
	"time"
)

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		at := slices.IndexFunc(q.waiting.entries, func(other *entry[T]) bool { return other.readyAt.Equal(e.readyAt) })
		heap.Remove(&q.waiting, at)
		q.makeReady(e)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
