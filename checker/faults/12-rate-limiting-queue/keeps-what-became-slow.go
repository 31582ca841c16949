//go:build ignore

// Mistake: Forget deletes an item that is still fast. One that has become slow gets the count 0, and its name stays.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (r *ItemFastSlowRateLimiter[T]) Forget(item T) {
	r.failures.mu.Lock()
	defer r.failures.mu.Unlock()
	if r.failures.count[item] > r.maxFastAttempts {
		r.failures.count[item] = 0
		return
	}
	delete(r.failures.count, item)
}
