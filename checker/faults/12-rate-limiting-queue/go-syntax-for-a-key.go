//go:build ignore

// Mistake: The count is kept under the item's type and Go syntax, and so pointers to equal objects are one item.
// Killed by: limiters-against-a-model
// Verdict: wrong-answer

package ratelimitingqueue

import (
	"fmt"
	"sync"
)

type failures[T comparable] struct {
	mu    sync.Mutex
	count map[string]int
}

func newFailures[T comparable]() failures[T] { return failures[T]{count: map[string]int{}} }

func key[T comparable](item T) string { return fmt.Sprintf("%T %#v", item, item) }

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	before = f.count[key(item)]
	f.count[key(item)]++
	return before
}

func (f *failures[T]) of(item T) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count[key(item)]
}

func (f *failures[T]) drop(item T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.count, key(item))
}
