//go:build ignore

// Mistake: A getter is woken only if no key was ready: of two keys that become ready one right after the other, one stays.
// Killed by: done-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) offer(e *entry[T]) {
	if q.ready.Len() == 0 {
		q.grown.Signal()
	}
	heap.Push(&q.ready, e)
}
