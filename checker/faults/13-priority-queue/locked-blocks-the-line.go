//go:build ignore

// Mistake: Get waits for the first key in line to be unlocked: one slow reconcile stops all workers.
// Killed by: locked-key-is-skipped
// Verdict: deadlock

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) makeReady(e *entry[T]) {
	e.stage, e.order = ready, q.place()
	q.offer(e)
}

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for (q.ready.Len() == 0 || q.ready.entries[0].locked) && !q.shutdown {
		q.grown.Wait()
	}
	if q.shutdown {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}

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
		q.grown.Broadcast()
	}
}
