//go:build ignore

// Mistake: A wait of days is rounded to a second, and the contract allows a millisecond.
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
	wait := time.Duration(-r.tokens / r.qps * float64(time.Second))
	if wait > 48*time.Hour {
		wait = wait.Round(time.Second)
	}
	return wait
}
