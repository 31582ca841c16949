//go:build ignore

// Mistake: a limiter takes the zero value of T for no item at all, and counts nothing.
// Killed by: exponential-doubles
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) another(item T) (before int) {
	var none T
	if item == none {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[item]
	f.count[item] = before + 1
	return before
}
