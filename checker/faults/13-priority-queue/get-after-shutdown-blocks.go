//go:build ignore

// Mistake: ShutDown is looked for after the wait and not before it: who comes later waits for ever
//   (controller-runtime#3239).
// Killed by: shutdown-releases-everyone
// Verdict: deadlock

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 {
		q.grown.Wait()
		if q.shutdown {
			break
		}
	}
	if q.shutdown {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}
