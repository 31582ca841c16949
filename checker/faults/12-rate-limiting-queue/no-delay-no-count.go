//go:build ignore

// Mistake: If both delays are 0, there is nothing to wait for, and so no failure to count.
// Killed by: fast-then-slow
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.fastDelay == 0 && r.slowDelay == 0 {
		return 0
	}
	if r.failures.another(item) < r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}
