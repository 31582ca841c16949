//go:build ignore

// Mistake: an answer of 0 by the limiter is taken for none, and After counts in its place.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return o.After
	}
	limited := q.limiter.When(item)
	if limited == 0 {
		return o.After
	}
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}
