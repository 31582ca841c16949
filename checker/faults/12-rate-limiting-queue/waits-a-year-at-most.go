//go:build ignore

// Mistake: Nobody waits for longer than a year, or so it is thought.
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
	return min(time.Duration(-r.tokens/r.qps*float64(time.Second)), 365*24*time.Hour)
}
