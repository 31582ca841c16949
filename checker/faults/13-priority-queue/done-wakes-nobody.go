//go:build ignore

// Mistake: Done puts the key back in line and leaves it to the next Get to find it; all workers sleep
//   already. controller-runtime's own tests do not see this one.
// Killed by: done-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

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
	}
}
