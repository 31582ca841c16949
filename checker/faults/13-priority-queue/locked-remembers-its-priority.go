//go:build ignore

// Mistake: A locked key that is added again is taken for one that is queued, with the priority it was handed
//   out with.
// Killed by: locked-key-starts-afresh
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	e := q.entries[item]
	if e == nil {
		e = &entry[T]{key: item}
		q.entries[item] = e
	}
	if e.stage == absent {
		if priority > e.priority || !e.locked {
			e.priority = priority
		}
		q.enter(e, delay)
		return
	}
	q.raise(e, priority)
	if e.stage == waiting {
		q.hasten(e, delay)
	}
}
