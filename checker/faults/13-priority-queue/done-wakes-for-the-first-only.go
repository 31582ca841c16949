//go:build ignore

// Mistake: Done wakes a getter only if its key is at least as urgent as the first that is ready: of two keys that are
//   done one right after the other, one stays.
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
		if e.priority >= q.ready.entries[0].priority {
			q.grown.Signal()
		}
	}
}
