//go:build ignore

// Mistake: Forget returns a token, as if a success unsent the request.
// Killed by: bucket-refills-with-time
// Verdict: wrong-answer

package ratelimitingqueue

func (r *BucketRateLimiter[T]) Forget(T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tokens++
}
