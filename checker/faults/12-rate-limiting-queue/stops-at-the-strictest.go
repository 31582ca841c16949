//go:build ignore

// Mistake: The limiter of limiters takes the first answer that makes the item wait; the limiters behind it
//   never hear of the failure.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

import "time"

func (r *MaxOfRateLimiter[T]) When(item T) time.Duration {
	var longest time.Duration
	for _, limiter := range r.limiters {
		if longest = max(longest, limiter.When(item)); longest > 0 {
			break
		}
	}
	return longest
}
