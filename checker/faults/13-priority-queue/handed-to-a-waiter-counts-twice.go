//go:build ignore

// Mistake: A key that goes to a getter that waited is taken off the count by the getter, and it was never counted.
// Killed by: each-key-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	waited := false
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
		waited = true
	}
	if q.shutdown {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	if waited && q.ready.Len() > 0 {
		q.parked--
	}
	return e.key, e.priority, false
}
