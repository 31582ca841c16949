//go:build ignore

// Mistake: maxDelay only guards against overflow: a wait that fits into a Duration is taken as it is.
// Killed by: exponential-stops-at-the-maximum
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	if r.baseDelay > (1<<63-1)>>n {
		return r.maxDelay
	}
	return r.baseDelay << n
}
