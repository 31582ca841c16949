//go:build ignore

// Mistake: With After and RateLimited the longer time is taken, as a limiter of limiters would.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return max(o.After, limited)
	}
	return limited
}
