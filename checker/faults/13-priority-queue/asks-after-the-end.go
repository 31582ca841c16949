//go:build ignore

// Mistake: The limiter is asked before anybody looks whether the queue is shut down, and counts a failure of
//   an item that is not added.
// Killed by: shutdown-releases-everyone
// Verdict: wrong-answer

package priorityqueue

import "time"

func (q *PriorityQueue[T]) delay(o AddOpts, item T) time.Duration {
	if !o.RateLimited {
		return o.After
	}
	limited := q.limiter.When(item)
	if o.After > 0 {
		return min(o.After, limited)
	}
	return limited
}
