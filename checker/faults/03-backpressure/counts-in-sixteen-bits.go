//go:build ignore

// Mistake: The counter of a buffer has sixteen bits: after 65535 dropped values it begins at 0 again.
// Killed by: bounded-like-its-model
// Verdict: wrong-answer

package backpressure

import "sync"

type Bounded[T any] struct {
	policy Policy
	values chan T
	done   chan struct{}

	mu      sync.Mutex
	closed  bool
	dropped uint16
	inside  sync.WaitGroup
}

func (b *Bounded[T]) Dropped() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return int(b.dropped)
}
