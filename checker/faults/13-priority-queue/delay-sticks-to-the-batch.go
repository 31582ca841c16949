//go:build ignore

// Mistake: The delay lives outside the loop and the shorter one is kept: what the limiter said of one item is
//   used for the next (controller-runtime#3103).
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		o.After = q.delay(o, item)
		q.add(item, priority, o.After)
	}
}
