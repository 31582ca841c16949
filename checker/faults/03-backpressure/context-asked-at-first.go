//go:build ignore

// Mistake: A sender whose first thousand values were in time is trusted: ctx is then looked at only where Send waits.
// Killed by: done-context-wins
// Verdict: wrong-answer

package backpressure

import (
	"context"
	"sync"
)

type Bounded[T any] struct {
	policy Policy
	values chan T
	done   chan struct{} // closed first by Close: wakes the senders that wait

	mu      sync.Mutex // guards the fields below, and makes the two steps of displace one
	closed  bool
	dropped int
	sent    int
	inside  sync.WaitGroup // the Sends under way; raised only under mu while closed is false
}

func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil && !b.trusted() {
		return err
	}
	if !b.enter() {
		return ErrClosed
	}
	defer b.inside.Done()
	switch b.policy {
	case DropNewest:
		return b.offer(v)
	case DropOldest:
		b.displace(v)
		return nil
	}
	return b.wait(ctx, v)
}

func (b *Bounded[T]) trusted() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sent > 1000
}

func (b *Bounded[T]) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.sent++
	b.inside.Add(1)
	return true
}
