//go:build ignore

// Mistake: A limiter that has no more room drops any item, so that memory has a bound: ten thousand are enough.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[item]
	if before == 0 && len(f.count) >= 10_000 {
		for other := range f.count {
			delete(f.count, other)
			break
		}
	}
	f.count[item] = before + 1
	return before
}
