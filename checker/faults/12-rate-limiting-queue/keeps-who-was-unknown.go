//go:build ignore

// Mistake: Forget of an item that has not failed makes an entry for it, and workers forget on every success.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (r *ItemExponentialFailureRateLimiter[T]) Forget(item T) {
	r.failures.mu.Lock()
	defer r.failures.mu.Unlock()
	if r.failures.count[item] > 0 {
		delete(r.failures.count, item)
	} else {
		r.failures.count[item] = 0
	}
}
