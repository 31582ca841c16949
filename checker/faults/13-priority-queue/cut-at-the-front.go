//go:build ignore

// Mistake: The first key is taken by cutting the slice at its front. While others stay, so does the array, with the key
//   that has left (kubernetes#104991).
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.shutdown {
		return item, 0, true
	}
	e := q.ready.entries[0]
	q.ready.entries = q.ready.entries[1:]
	if q.ready.Len() == 0 {
		q.ready.entries = nil
	}
	for i, other := range q.ready.entries {
		other.index = i
	}
	heap.Init(&q.ready)
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}
