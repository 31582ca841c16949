//go:build ignore

// Mistake: An item that has failed more than 30 times gets the count 0 from Forget, and its name stays.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count[item] > 30 {
		f.count[item] = 0
		return
	}
	delete(f.count, item)
}
