//go:build ignore

// Mistake: The queue writes the priority that the key has now through the pointer that the caller gave.
// Killed by: queue-against-a-model
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
		q.mu.Lock()
		if e := q.entries[item]; e != nil && o.Priority != nil {
			*o.Priority = max(priority, e.priority)
		}
		q.mu.Unlock()
	}
}
