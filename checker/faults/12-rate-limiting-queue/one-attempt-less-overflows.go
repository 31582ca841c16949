//go:build ignore

// Mistake: The failures before this one are compared with one attempt less: the smallest integer less 1 is the largest one.
// Killed by: fast-then-slow
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.another(item) <= r.maxFastAttempts-1 {
		return r.fastDelay
	}
	return r.slowDelay
}
