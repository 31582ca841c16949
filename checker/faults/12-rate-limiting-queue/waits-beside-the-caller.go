//go:build ignore

// Mistake: When starts a goroutine that waits until the token exists, and the caller has long returned.
// Killed by: forgotten-items-are-gone
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
	go time.Sleep(min(wait, time.Millisecond))
	return wait
}
