//go:build ignore

// Mistake: No wait is longer than the longest Duration, so nobody is asked after a limiter that says so.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"math"
	"time"
)

func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		longest = max(longest, limiter.When(item))
		if longest == math.MaxInt64 {
			break
		}
	}
	return longest
}
