//go:build ignore

// Mistake: The queue keeps the last o.Priority, to compare the next one with it, and never clears it.
// Killed by: lets-go-of-keys
// Verdict: wrong-answer

package priorityqueue

type line[T comparable] struct {
	entries []*entry[T]
	before  func(a, b *entry[T]) bool
	asked   *int // the last priority that was asked for
}

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
		q.mu.Lock()
		if q.ready.asked != o.Priority {
			q.ready.asked = o.Priority
		}
		q.mu.Unlock()
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}
