//go:build ignore

// Mistake: once After is the shorter time, the rest of the batch is added as if it were not rate limited.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		delay := q.delay(o, item)
		if delay == o.After {
			o.RateLimited = false
		}
		q.add(item, priority, delay)
	}
}
