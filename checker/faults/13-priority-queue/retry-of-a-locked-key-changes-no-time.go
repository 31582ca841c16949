//go:build ignore

// Mistake: While a worker holds a key, the time that was set first stands: a rate limited add of a key that is locked and waits
//   changes its priority only.
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
		if o.RateLimited && q.waitsLocked(item) {
			delay = 1<<63 - 1
		}
		q.add(item, priority, delay)
	}
}

func (q *PriorityQueue[T]) waitsLocked(item T) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	e := q.entries[item]
	return e != nil && e.locked && e.stage == waiting
}
