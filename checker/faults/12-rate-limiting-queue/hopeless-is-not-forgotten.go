//go:build ignore

// Mistake: An item that has failed a thousand times is taken for hopeless, and Forget leaves it as it is.
// Killed by: exponential-never-overflows
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count[item] < 1000 {
		delete(f.count, item)
	}
}
