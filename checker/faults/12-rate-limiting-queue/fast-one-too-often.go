//go:build ignore

// Mistake: The edge of the fast attempts is taken to be inclusive, counting from 0.
// Killed by: fast-then-slow
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.another(item) <= r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}
