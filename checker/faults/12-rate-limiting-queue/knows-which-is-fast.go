//go:build ignore

// Mistake: The shorter delay is taken for the fast one, whichever it was passed as.
// Killed by: fast-then-slow
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	if r.failures.another(item) < r.maxFastAttempts {
		return min(r.fastDelay, r.slowDelay)
	}
	return max(r.fastDelay, r.slowDelay)
}
