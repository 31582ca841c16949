//go:build ignore

// Mistake: The bucket is two numbers, and two numbers are taken to need no lock.
// Killed by: bucket-is-shared-safely
// Verdict: data-race

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.refill(time.Now())
	r.tokens--
	if r.tokens >= 0 {
		return 0
	}
	return time.Duration(-r.tokens / r.qps * float64(time.Second))
}
