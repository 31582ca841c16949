//go:build ignore

// Mistake: The queue has a bound, as a buffered channel has, and an add waits until workers have made room.
// Killed by: add-never-blocks
// Verdict: deadlock

package priorityqueue

import "time"

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
	for len(q.entries) == 1024 && !q.shutdown {
		q.grown.Wait()
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
