//go:build ignore

// Mistake: The fast-slow limiter asks for the count in one step and raises it in the next: two workers get
//   the last fast attempt.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemFastSlowRateLimiter[T]) When(item T) time.Duration {
	before := r.failures.of(item)
	r.failures.another(item)
	if before < r.maxFastAttempts {
		return r.fastDelay
	}
	return r.slowDelay
}
