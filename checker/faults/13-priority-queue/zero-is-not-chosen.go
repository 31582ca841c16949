//go:build ignore

// Mistake: A priority that points to 0 is taken for one that nobody chose, and the key gets that of a resync.
// Killed by: higher-priority-first
// Verdict: wrong-answer

package priorityqueue

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
		if priority == 0 {
			priority = -100
		}
	}
	for _, item := range items {
		q.add(item, priority, q.delay(o, item))
	}
}
