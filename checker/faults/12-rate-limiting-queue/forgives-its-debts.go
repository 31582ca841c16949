//go:build ignore

// Mistake: A bucket cannot hold less than nothing, so the balance starts from 0 when time has passed: tokens
//   that were promised are given twice.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := now.Sub(r.last).Seconds() * r.qps
	if gained > 0 {
		r.tokens = max(r.tokens, 0)
	}
	r.tokens = min(r.tokens+gained, r.burst)
	r.last = now
}
