//go:build ignore

// Mistake: A queue that hands out what is left does not wait for times that no timer rings for any longer: Done makes its key ready
//   if it waits.
// Killed by: shutdown-releases-everyone
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
	case waiting:
		if q.shutdown {
			heap.Remove(&q.waiting, e.index)
			q.makeReady(e)
		}
	case ready:
		q.parked--
		q.offer(e)
	}
}

func (q *PriorityQueue[T]) GetWithPriority() (item T, priority int, shutdown bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.ready.Len() == 0 && !q.shutdown {
		q.grown.Wait()
	}
	if q.ready.Len() == 0 {
		return item, 0, true
	}
	e := heap.Pop(&q.ready).(*entry[T])
	e.stage, e.locked = absent, true
	return e.key, e.priority, false
}
