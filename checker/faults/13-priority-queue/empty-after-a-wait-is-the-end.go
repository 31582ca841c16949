//go:build ignore

// Mistake: A getter that waited takes the zero key for the end, as if it came out of a closed channel.
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
	return e.key, e.priority, waited && e.key == item
}
