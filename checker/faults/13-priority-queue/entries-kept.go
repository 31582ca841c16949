//go:build ignore

// Mistake: The entry of a key stays in the map after Done, to be used again: pods are named anew each time,
//   and it never is.
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
	case ready:
		q.parked--
		q.offer(e)
	}
}
