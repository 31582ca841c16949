//go:build ignore

// Mistake: If an item recovers that has failed very often, those that have failed more often are forgotten with it.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import "maps"

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := f.count[item]
	delete(f.count, item)
	if n > 10 {
		maps.DeleteFunc(f.count, func(_ T, other int) bool { return other > n })
	}
}
