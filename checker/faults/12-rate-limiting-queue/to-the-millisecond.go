//go:build ignore

// Mistake: The wait is handed on in whole milliseconds.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	q.AddAfter(item, q.limiter.When(item).Truncate(time.Millisecond))
}
