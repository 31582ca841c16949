//go:build ignore

// Mistake: An add that is less urgent than what is queued already is ignored, time and all, if a worker holds the key: there is no hurry.
// Killed by: every-add-in-every-state
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
		e.priority = priority
		q.enter(e, delay)
		return
	}
	if e.locked && e.stage == waiting && priority < e.priority && delay > 0 {
		return
	}
	q.raise(e, priority)
	if e.stage == waiting {
		q.hasten(e, delay)
	}
}
