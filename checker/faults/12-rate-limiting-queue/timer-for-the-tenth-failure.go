//go:build ignore

// Mistake: The tenth failure starts a timer, for an alarm that nobody has written yet.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if n == 9 {
		time.AfterFunc(10*time.Minute, func() {})
	}
	if r.baseDelay > r.maxDelay>>n {
		return r.maxDelay
	}
	return r.baseDelay << n
}
