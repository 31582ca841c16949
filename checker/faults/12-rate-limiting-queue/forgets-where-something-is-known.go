//go:build ignore

// Mistake: Forget is spared those limiters whose NumRequeues is 0, as if that said that they know nothing.
// Killed by: max-of-asks-all
// Verdict: wrong-answer

package ratelimitingqueue

func (r *MaxOfRateLimiter[T]) Forget(item T) {
	for _, limiter := range r.limiters {
		if limiter.NumRequeues(item) > 0 {
			limiter.Forget(item)
		}
	}
}
