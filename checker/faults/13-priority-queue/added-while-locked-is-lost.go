//go:build ignore

// Mistake: The worker has the key already, so another add of it is dropped; but the worker may have read the
//   object before it changed.
// Killed by: locked-key-is-skipped
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
	if e.locked {
		return
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
