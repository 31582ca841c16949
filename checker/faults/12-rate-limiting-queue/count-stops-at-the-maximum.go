//go:build ignore

// Mistake: Failures at the maximum make no difference to the wait, so they are not counted; but NumRequeues
//   is read by people too.
// Killed by: exponential-stops-at-the-maximum
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if r.baseDelay > r.maxDelay>>n {
		r.failures.mu.Lock()
		defer r.failures.mu.Unlock()
		r.failures.count[item] = n
		return r.maxDelay
	}
	return r.baseDelay << n
}
