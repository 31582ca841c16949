//go:build ignore

// Mistake: A delay of more than an hour is rounded to a second, which nobody will notice.
// Killed by: add-rate-limited-is-add-after-when
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (q *RateLimitingQueue[T]) AddRateLimited(item T) {
	wait := q.limiter.When(item)
	if wait > time.Hour && wait < 10_000*time.Hour {
		wait = wait.Round(time.Second)
	}
	q.AddAfter(item, wait)
}
