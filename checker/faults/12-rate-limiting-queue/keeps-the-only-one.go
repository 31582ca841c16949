//go:build ignore

// Mistake: Forget keeps the entry of the last item that is left, with the count 0, so that the map is never empty.
// Killed by: forgotten-items-are-gone
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.count[item]; known && len(f.count) == 1 {
		f.count[item] = 0
		return
	}
	delete(f.count, item)
}
