//go:build ignore

// Mistake: What the limiter lets go at once is added by Add, which knows no priority.
// Killed by: every-add-in-every-state
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		delay := q.delay(o, item)
		if o.RateLimited && delay <= 0 {
			q.Add(item)
			continue
		}
		q.add(item, priority, delay)
	}
}
