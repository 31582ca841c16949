//go:build ignore

// Mistake: The count is read under the lock and written under the lock, but not under the same one: failures
//   at one moment are counted once.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[item]
	f.mu.Unlock()
	f.mu.Lock()
	f.count[item] = before + 1
	return before
}
