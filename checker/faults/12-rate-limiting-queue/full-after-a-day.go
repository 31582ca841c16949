//go:build ignore

// Mistake: After a day without a call the bucket is taken for full, however slowly tokens come.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	passed := now.Sub(r.last)
	r.tokens = min(r.tokens+passed.Seconds()*r.qps, r.burst)
	if passed > 24*time.Hour {
		r.tokens = r.burst
	}
	r.last = now
}
