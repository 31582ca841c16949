//go:build ignore

// Mistake: The last element of the heap takes the place of the one that is taken out, and sinks from there. It may have to
//   rise as well: it comes from another branch.
// Killed by: earliest-time-wins
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) hasten(e *entry[T], delay time.Duration) {
	if delay <= 0 {
		q.waiting.remove(e.index)
		q.makeReady(e)
		return
	}
	if at := time.Now().Add(delay); at.Before(e.readyAt) {
		e.readyAt = at
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}

func (l *line[T]) remove(i int) {
	last := l.Len() - 1
	l.Swap(i, last)
	l.Pop()
	for 2*i+1 < last {
		child := 2*i + 1
		if child+1 < last && l.Less(child+1, child) {
			child++
		}
		if !l.Less(child, i) {
			return
		}
		l.Swap(i, child)
		i = child
	}
}
