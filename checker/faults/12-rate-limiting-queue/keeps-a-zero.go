//go:build ignore

// Mistake: Forget sets the count to 0, and the map keeps the key of every object that ever failed.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count[item] = 0
}
