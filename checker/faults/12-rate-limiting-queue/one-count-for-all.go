//go:build ignore

// Mistake: Failures are counted for the limiter and not for the item: one broken object slows down all
//   others.
// Killed by: exponential-doubles
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all T
	before = f.count[all]
	f.count[all] = before + 1
	return before
}

func (f *failures[T]) of(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all T
	return f.count[all]
}
