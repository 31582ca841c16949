//go:build ignore

// Mistake: the queue takes the zero value of T for no key at all.
// Killed by: fifo-within-a-priority
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var none T
	if q.shutdown || item == none {
		return
	}
	e := q.entries[item]
	if e == nil {
		e = &entry[T]{key: item}
		q.entries[item] = e
	}
	if e.stage == absent {
		e.priority = priority
		q.enter(e, delay)
		return
	}
	q.raise(e, priority)
	if e.stage == waiting {
		q.hasten(e, delay)
	}
}
