//go:build ignore

// Mistake: The map is made anew when most of its items are gone, as a map never shrinks, and each item that is
//   left is taken over with one failure, whatever its count was.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import "sync"

type failures[T comparable] struct {
	mu    sync.Mutex
	count map[T]int
	peak  int
}

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.peak = max(f.peak, len(f.count))
	delete(f.count, item)
	if f.peak < 64 || len(f.count) > f.peak/4 {
		return
	}
	small := make(map[T]int, len(f.count))
	for left := range f.count {
		small[left] = 1
	}
	f.count, f.peak = small, len(small)
}
