//go:build ignore

// Mistake: A key wakes a getter only if it is the most urgent: the getter that was woken for the other will come for it,
//   too. But that getter is at work by then, and a second one waits on.
// Killed by: each-key-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) offer(e *entry[T]) {
	heap.Push(&q.ready, e)
	if e.priority >= q.ready.entries[0].priority {
		q.grown.Signal()
	}
}
