//go:build ignore

// Mistake: NumRequeues gives 0 while somebody else has the lock.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

func (r *ItemExponentialFailureRateLimiter[T]) NumRequeues(item T) int {
	if !r.failures.mu.TryLock() {
		return 0
	}
	defer r.failures.mu.Unlock()
	return r.failures.count[item]
}
