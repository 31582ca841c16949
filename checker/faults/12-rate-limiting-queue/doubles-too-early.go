//go:build ignore

// Mistake: The failure is counted before the wait is worked out, so the first wait is twice the base delay.
// Killed by: exponential-doubles
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[item]
	before++
	f.count[item] = before
	return before
}
