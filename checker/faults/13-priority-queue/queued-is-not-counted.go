//go:build ignore

// Mistake: The limiter is asked only for keys that are not queued yet, so failures get lost.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return o.After
	}
	q.mu.Lock()
	known := q.entries[item] != nil
	q.mu.Unlock()
	if known {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}
