//go:build ignore

// Mistake: After a long pause no more than a minute is credited, in case the clock has jumped.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := min(now.Sub(r.last), time.Minute).Seconds() * r.qps
	r.tokens = min(r.tokens+gained, r.burst)
	r.last = now
}
