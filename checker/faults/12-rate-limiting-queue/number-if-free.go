//go:build ignore

// Mistake: NumRequeues gives 0 while somebody else has the lock.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) of(item T) int {
	if !f.mu.TryLock() {
		return 0
	}
	defer f.mu.Unlock()
	return f.count[item]
}
