//go:build ignore

// Mistake: Callers get the time of the next token, without taking it: all get the same time and come back
//   together. client-go's own tests do not see this one.
// Killed by: bucket-reserves
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *BucketRateLimiter[T]) When(T) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refill(time.Now())
	if r.tokens >= 1 {
		r.tokens--
		return 0
	}
	return time.Duration((1 - r.tokens) / r.qps * float64(time.Second))
}
