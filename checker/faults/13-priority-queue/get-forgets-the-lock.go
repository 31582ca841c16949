//go:build ignore

// Mistake: Get is a copy of GetWithPriority, and the copy does not lock the key.
// Killed by: locked-key-is-skipped
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) Get() (item T, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.shutdown {
		return item, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	delete(q.entries, e.key)
	return e.key, false
}
