//go:build ignore

// Mistake: NumRequeues answers what the last limiter says; the last is usually a bucket, which says 0.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

func (r *MaxOfRateLimiter[T]) NumRequeues(item T) int {
	most := 0
	for _, limiter := range r.limiters {
		most = limiter.NumRequeues(item)
	}
	return most
}
