// Package backpressure is lab 03 with a line and a list: the senders of a Bounded stand in
// line, and only the first of them touches the channel. A Pump is a linked list, and its
// state goes around in a channel of one: the goroutine that has taken it out owns it.
package backpressure

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
)

// Policy says what a Bounded buffer does with a value for which it has no room.
type Policy int

const (
	// Block makes Send wait until there is room, its ctx ends or the buffer is closed.
	Block Policy = iota
	// DropNewest drops the value that is being sent: Send returns ErrFull.
	DropNewest
	// DropOldest drops the value that has been in the buffer longest and takes the new one in.
	DropOldest
)

var (
	// ErrFull is returned by Send under DropNewest when v was dropped.
	ErrFull = errors.New("backpressure: buffer is full")
	// ErrClosed is returned by Send when the buffer is closed, and by nothing else.
	ErrClosed = errors.New("backpressure: buffer is closed")
)

// Bounded is a buffer of fixed size. Of the senders only the one that holds turn touches the
// channel, and the last one to leave a closed buffer closes it.
type Bounded[T any] struct {
	policy  Policy
	out     chan T
	turn    chan struct{}   // holds a token while a sender is first in line
	gone    context.Context // ends when the buffer is closed
	close   context.CancelFunc
	mu      sync.Mutex // guards inside and closed
	inside  int        // Sends under way
	closed  bool
	dropped atomic.Int64
}

// NewBounded makes a buffer that holds up to capacity values, and at least one.
func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	b := &Bounded[T]{policy: policy, out: make(chan T, max(1, capacity)), turn: make(chan struct{}, 1)}
	b.gone, b.close = context.WithCancel(context.Background())
	return b
}

// Send puts v into the buffer, or does with it what the policy says.
func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return ErrClosed
	}
	b.inside++
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.inside--
		if b.closed && b.inside == 0 {
			close(b.out)
		}
	}()
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return ctx.Err()
	case <-b.gone.Done():
		return ErrClosed
	}
	switch b.policy {
	case DropNewest:
		if !TrySend(b.out, v) {
			b.dropped.Add(1)
			return ErrFull
		}
	case DropOldest:
		for !TrySend(b.out, v) {
			select {
			case <-b.out:
				b.dropped.Add(1)
			default:
			}
		}
	default:
		if TrySend(b.out, v) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case b.out <- v:
		case <-b.gone.Done():
			return ErrClosed
		}
	}
	return nil
}

// Out is the channel on which the values are received.
func (b *Bounded[T]) Out() <-chan T { return b.out }

// Dropped is the number of values that the policy has dropped.
func (b *Bounded[T]) Dropped() int { return int(b.dropped.Load()) }

// Close ends the sending. Accepted values can still be received.
func (b *Bounded[T]) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	b.closed = true
	b.close()
	if b.inside == 0 {
		close(b.out)
	}
}
