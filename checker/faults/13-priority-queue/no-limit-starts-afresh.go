//go:build ignore

// Mistake: What the limiter lets go at once is no longer in its wait, so it is added as a new key, with the priority of this add.
// Killed by: every-add-in-every-state
// Verdict: wrong-answer

package priorityqueue

import "container/heap"

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		delay := q.delay(o, item)
		if o.RateLimited && delay <= 0 {
			q.drop(item)
		}
		q.add(item, priority, delay)
	}
}

func (q *PriorityQueue[T]) drop(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[item]; e != nil && e.stage == waiting && !q.shutdown {
		heap.Remove(&q.waiting, e.index)
		e.stage = absent
	}
}
