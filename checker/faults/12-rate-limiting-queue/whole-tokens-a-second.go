//go:build ignore

// Mistake: The wait is computed with a whole number of tokens a second: 2.5 are 2.
// Killed by: bucket-reserves
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"math"
	"time"
)

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	r.tokens--
	if r.tokens >= 0 {
		return 0
	}
	qps := r.qps
	if qps > 1 {
		qps = math.Floor(qps)
	}
	return time.Duration(-r.tokens / qps * float64(time.Second))
}
