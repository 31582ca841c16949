//go:build ignore

// Mistake: Whether an item is known is not asked: to look up its number makes an entry.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	r.failures.mu.Lock()
	defer r.failures.mu.Unlock()
	r.failures.count[item] += 0
	return r.failures.count[item]
}
