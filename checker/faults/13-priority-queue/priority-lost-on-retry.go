//go:build ignore

// Mistake: A rate-limited add is an add with a delay and nothing else: the retry comes back with priority 0
//   (controller-runtime#3157).
// Killed by: priority-survives-backoff
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil && !o.RateLimited {
		priority = *o.Priority
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}
