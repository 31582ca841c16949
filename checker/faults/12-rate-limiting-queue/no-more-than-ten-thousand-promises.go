//go:build ignore

// Mistake: The balance falls to -10,000 and no further: from then on all callers have the same token.
// Killed by: bucket-reserves
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens = max(r.tokens-1, -10_000)
	if r.tokens >= 0 {
		return 0
	}
	return time.Duration(-r.tokens / r.qps * float64(time.Second))
}
