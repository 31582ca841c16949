//go:build ignore

// Mistake: The first limiter inside of a limiter of limiters speaks for all of them when it comes to numbers.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := 0
	for _, limiter := range r.limiters {
		if inner, ok := limiter.(*MaxOfRateLimiter[T]); ok && len(inner.limiters) > 0 {
			limiter = inner.limiters[0]
		}
		most = max(most, limiter.NumRequeues(item))
	}
	return most
}
