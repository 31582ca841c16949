//go:build ignore

// Mistake: The number of parked keys goes down at every Done of a key that was added again, also if that key
//   still waits (the depth of controller-runtime#3066 went below zero).
// Killed by: len-counts-what-is-ready
// Verdict: wrong-answer

package priorityqueue

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
		q.parked--
	case ready:
		q.parked--
		q.offer(e)
	}
}
