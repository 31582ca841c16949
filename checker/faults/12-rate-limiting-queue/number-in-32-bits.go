//go:build ignore

// Mistake: The largest number is looked for in 32 bits.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := int32(0)
	for _, limiter := range r.limiters {
		most = max(most, int32(limiter.NumRequeues(item)))
	}
	return int(most)
}
