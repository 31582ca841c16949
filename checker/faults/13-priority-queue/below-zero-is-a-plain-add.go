//go:build ignore

// Mistake: A delay below zero is no delay, so the item is passed on to Add, and its priority is lost on the way.
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
		if delay < 0 {
			q.Add(item)
			continue
		}
		q.add(item, priority, delay)
	}
}
