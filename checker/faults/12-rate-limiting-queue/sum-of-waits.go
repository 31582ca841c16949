//go:build ignore

// Mistake: The waits of the limiters are added up: each of them had counted on being the only one.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		longest += limiter.When(item)
	}
	return longest
}
