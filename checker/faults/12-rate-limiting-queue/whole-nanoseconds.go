//go:build ignore

// Mistake: The time between two tokens is rounded once, to whole nanoseconds, and the error is added up with
//   every call.
// Killed by: bucket-reserves
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens--
	if r.tokens >= 0 {
		return 0
	}
	return time.Duration(-r.tokens * float64(time.Duration(float64(time.Second)/r.qps)))
}
