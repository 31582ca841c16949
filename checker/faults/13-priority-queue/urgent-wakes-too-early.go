//go:build ignore

// Mistake: an urgent key wakes a getter as soon as it is ready, locked or not, and Done takes that for done.
// Killed by: done-wakes-a-getter
// Verdict: deadlock

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) makeReady(e *entry[T]) {
	e.stage, e.order = ready, q.place()
	if e.locked {
		q.parked++
		if e.priority > 0 {
			q.grown.Signal()
		}
		return
	}
	q.offer(e)
}

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
	case ready:
		q.parked--
		heap.Push(&q.ready, e)
		if e.priority <= 0 {
			q.grown.Signal()
		}
	}
}
