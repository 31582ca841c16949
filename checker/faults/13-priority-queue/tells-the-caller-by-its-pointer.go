//go:build ignore

// Mistake: The caller is told which priority its key has now, by way of the pointer that it gave.
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
