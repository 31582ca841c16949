//go:build ignore

// Mistake: nil is no object, so it is no key. The queue has keys of any type, and nil is a value of some of them.
// Killed by: queue-against-a-model
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		if any(item) != nil {
			q.add(item, priority, q.delay(o, item))
		}
	}
}
