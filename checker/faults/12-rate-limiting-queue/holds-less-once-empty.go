//go:build ignore

// Mistake: Each time that the bucket was emptied it holds one token less afterwards.
// Killed by: bucket-never-overfills
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens--
	if r.tokens == 0 && r.burst > 50 {
		r.burst--
	}
	if r.tokens >= 0 {
		return 0
	}
	return time.Duration(-r.tokens / r.qps * float64(time.Second))
}
