//go:build ignore

// Mistake: The count of an item is kept small, as if nothing ever failed for a week: after 65,536 failures it
//   starts over.
// Killed by: exponential-never-overflows
// Verdict: wrong-answer

package ratelimitingqueue

import "sync"

type failures[T comparable] struct {
	mu    sync.Mutex
	count map[T]uint16
}

func newFailures[T comparable]() failures[T] { return failures[T]{count: map[T]uint16{}} }

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = int(f.count[item])
	f.count[item]++
	return before
}

func (f *failures[T]) of(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int(f.count[item])
}
