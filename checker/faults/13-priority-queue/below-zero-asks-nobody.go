//go:build ignore

// Mistake: An After below zero means at once, whatever the limiter says: it is not asked, and does not count the failure.
// Killed by: every-add-in-every-state
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || o.After < 0 || q.ShuttingDown() {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}
