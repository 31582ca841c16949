//go:build ignore

// Mistake: A getter that wakes and finds that another one took its key says that the queue is shut down, and its worker ends.
// Killed by: done-wakes-a-getter
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.ready.Len() == 0 || q.shutdown {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}
