//go:build ignore

// Mistake: A rate limited add that raises the priority is the one that counts, and its time with it: a key that waits is put off.
// Killed by: every-add-in-every-state
// Verdict: wrong-answer

package priorityqueue

import (
	"container/heap"
	"time"
)

func (q *PriorityQueue[T]) AddWithOpts(o AddOpts, items ...T) {
	priority := 0
	if o.Priority != nil {
		priority = *o.Priority
	}
	for _, item := range items {
		delay := q.delay(o, item)
		if o.RateLimited && delay > 0 {
			q.overrule(item, priority, delay)
		}
		q.add(item, priority, delay)
	}
}

func (q *PriorityQueue[T]) overrule(item T, priority int, delay time.Duration) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if e := q.entries[item]; e != nil && e.stage == waiting && priority > e.priority && !q.shutdown {
		e.readyAt = time.Now().Add(delay)
		heap.Fix(&q.waiting, e.index)
		q.arm()
	}
}
