//go:build ignore

// Mistake: After a pause of more than ten seconds the time that has passed is taken in whole milliseconds.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) refill(now time.Time) {
	passed := now.Sub(r.last)
	if passed > 10*time.Second {
		passed = passed.Truncate(time.Millisecond)
	}
	r.tokens = min(r.tokens+passed.Seconds()*r.qps, r.burst)
	r.last = now
}
