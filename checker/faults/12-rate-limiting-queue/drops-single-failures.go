//go:build ignore

// Mistake: After a thousand calls of Forget the map is made anew, without the items that have failed only once.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import "sync"

type failures[T comparable] struct {
	mu    sync.Mutex // guards the fields below
	count map[T]int
	gone  int
}

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.count, item)
	if f.gone++; f.gone < 1000+2*len(f.count) {
		return
	}
	f.gone = 0
	anew := map[T]int{}
	for item, n := range f.count {
		if n > 1 {
			anew[item] = n
		}
	}
	f.count = anew
}
