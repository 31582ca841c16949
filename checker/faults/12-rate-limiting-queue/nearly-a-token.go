//go:build ignore

// Mistake: A token that is nearly there is taken for one that exists, so that no float stands in the way.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens--
	if r.tokens >= -1e-6 {
		return 0
	}
	return time.Duration(-r.tokens / r.qps * float64(time.Second))
}
