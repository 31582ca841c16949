//go:build ignore

// Mistake: Forget takes back one failure, as if each success made up for one.
// Killed by: forget-starts-over
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count[item] > 0 {
		f.count[item]--
	}
}
