//go:build ignore

// Mistake: The time since the last call is taken in whole microseconds, and what is left of one is lost
//   at every call.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	gained := float64(now.Sub(r.last).Microseconds()) / 1e6 * r.qps
	r.tokens = min(r.tokens+gained, r.burst)
	r.last = now
}
