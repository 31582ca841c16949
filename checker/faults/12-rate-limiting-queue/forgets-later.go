//go:build ignore

// Mistake: Forget leaves the work to a goroutine while somebody else has the lock, and returns before that.
// Killed by: concurrent-failures-all-count
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	if f.mu.TryLock() {
		defer f.mu.Unlock()
		delete(f.count, item)
		return
	}
	go func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.count, item)
	}()
}
