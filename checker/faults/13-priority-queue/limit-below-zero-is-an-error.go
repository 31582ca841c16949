//go:build ignore

// Mistake: A limit below 0 is taken for an error of the limiter, and After counts.
// Killed by: asks-its-limiter
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited || q.ShuttingDown() {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 && limited < 0 {
		return o.After
	}
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}
