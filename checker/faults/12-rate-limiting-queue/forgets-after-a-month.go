//go:build ignore

// Mistake: An item that has not failed in a month is taken for one that never failed.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"sync"
	"time"
)

type failures[T comparable] struct {
	mu    sync.Mutex // guards the fields below
	count map[T]int
	last  map[T]time.Time
}

func newFailures[T comparable]() failures[T] {
	return failures[T]{count: map[T]int{}, last: map[T]time.Time{}}
}

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.last[item]) > 30*24*time.Hour {
		delete(f.count, item)
	}
	f.last[item] = time.Now()
	before = f.count[item]
	f.count[item] = before + 1
	return before
}

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.count, item)
	delete(f.last, item)
}
