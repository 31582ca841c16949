//go:build ignore

// Mistake: The Sends under Block take turns, and one whose ctx ends in its turn does not give it back: the next waits for it, with room in the buffer.
// Killed by: block-honours-context
// Verdict: wrong-answer

package backpressure

import (
	"context"
	"sync"
)

type Bounded[T any] struct {
	policy  Policy
	values  chan T
	turn    chan struct{}
	done    chan struct{}
	mu      sync.Mutex
	closed  bool
	dropped int
	inside  sync.WaitGroup
}

func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	return &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity, 1)),
		turn:   make(chan struct{}, 1),
		done:   make(chan struct{}),
	}
}

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
	select {
	case b.values <- v:
		<-b.turn
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		<-b.turn
		return ErrClosed
	}
}
