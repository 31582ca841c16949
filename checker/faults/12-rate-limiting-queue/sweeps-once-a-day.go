//go:build ignore

// Mistake: Once a day the items that have failed only once are swept out, to save memory.
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
	swept time.Time
}

func newFailures[T comparable]() failures[T] {
	return failures[T]{count: map[T]int{}, swept: time.Now()}
}

func (f *failures[T]) another(item T) (before int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if time.Since(f.swept) > 24*time.Hour {
		for one, n := range f.count {
			if n == 1 && one != item {
				delete(f.count, one)
			}
		}
		f.swept = time.Now()
	}
	before = f.count[item]
	f.count[item] = before + 1
	return before
}
