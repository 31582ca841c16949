//go:build ignore

// Mistake: A wait of less than five microseconds is taken for none.
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
	if wait < 5*time.Microsecond {
		return 0
	}
	return wait
}
