//go:build ignore

// Mistake: Forget gives a token back that was only promised.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

func (r *BucketRateLimiter[T]) Forget(T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tokens < -1 {
		r.tokens++
	}
}
