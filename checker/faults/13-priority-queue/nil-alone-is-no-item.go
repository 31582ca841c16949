//go:build ignore

// Mistake: An add of nothing but nil is an add without items.
// Killed by: queue-against-a-model
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	if len(items) == 1 && any(items[0]) == nil {
		return
	}
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}

func (q *PriorityQueue[T]) Add(item T) { q.AddWithOpts(AddOpts{}, item) }
