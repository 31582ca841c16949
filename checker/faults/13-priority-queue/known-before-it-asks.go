//go:build ignore

// Mistake: The entry of a key is looked up before the limiter is asked. When the limiter has answered, the key may be done
//   and have another entry.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		q.mu.Lock()
		e := q.entries[item]
		q.mu.Unlock()
		q.addTo(e, item, priority, q.delay(o, item))
	}
}

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	e := q.entries[item]
	q.mu.Unlock()
	q.addTo(e, item, priority, delay)
}

func (q *PriorityQueue[T]) addTo(e *entry[T], item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.shutdown {
		return
	}
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
