//go:build ignore

// Mistake: Forget sets the count to 0, and deletes the entry in a second step: a failure in between is lost.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	f.count[item] = 0
	f.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.count, item)
}
