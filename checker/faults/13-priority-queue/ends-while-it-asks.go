//go:build ignore

// Mistake: the end is looked for before the limiter is asked, and not after it: the add goes through, and sets a timer that nobody
//   stops.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		if q.ShuttingDown() {
			return
		}
		q.add(item, priority, q.delay(o, item))
	}
}

func (q *PriorityQueue[T]) Add(item T) { q.AddWithOpts(AddOpts{}, item) }

func (q *PriorityQueue[T]) AddAfter(item T, after time.Duration) {
	q.AddWithOpts(AddOpts{After: after}, item)
}

func (q *PriorityQueue[T]) add(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
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
