//go:build ignore

// Mistake: The wait is computed as client-go does, with math.Pow: 2^63 is no more than math.MaxInt64 as a
//   float, and negative as a Duration.
// Killed by: exponential-to-the-last-bit
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"math"
	"time"
)

func (r *ItemExponentialFailureRateLimiter[T]) When(item T) time.Duration {
	n := r.failures.another(item)
	wait := float64(r.baseDelay) * math.Pow(2, float64(n))
	if wait > math.MaxInt64 {
		return r.maxDelay
	}
	return min(time.Duration(wait), r.maxDelay)
}
