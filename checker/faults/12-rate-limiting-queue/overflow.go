//go:build ignore

// Mistake: The wait is shifted up and then compared: after some forty failures it is negative, which a queue
//   takes for at once.
// Killed by: exponential-never-overflows
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if r.baseDelay<<n > r.maxDelay {
		return r.maxDelay
	}
	return r.baseDelay << n
}
