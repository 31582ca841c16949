//go:build ignore

// Mistake: Forget clears the whole map: one success makes every failing object start over.
// Killed by: forget-starts-over
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.count)
}
