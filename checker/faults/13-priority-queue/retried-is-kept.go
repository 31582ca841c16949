//go:build ignore

// Mistake: The entry of a key that fails stays in the map after Done, because it is expected to fail again. Only
//   Forget would make its limit go away, and that does not remove the entry.
// Killed by: lets-go-of-keys
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
		if q.limiter.NumRequeues(item) == 0 {
			delete(q.entries, item)
		}
	case ready:
		q.parked--
		q.offer(e)
	}
}
