// Package backpressure is lab 03 with batches: senders of a Bounded hold a read lock, which Close
// waits for in a goroutine of its own. A Pump's Run takes everything that is pending at
// once, and then hands it out one by one; a Run that waits has made a channel to be woken with.
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

// Bounded is a buffer of fixed size. A Send holds mu for reading, so that the channel is not
// closed before the last of them has returned.
type Bounded[T any] struct {
	policy  Policy
	out     chan T
	closing chan struct{}
	once    sync.Once
	mu      sync.RWMutex
	dropped atomic.Int64
}

// NewBounded makes a buffer that holds up to capacity values, and at least one.
func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	if capacity <= 0 {
		capacity = 1
	}
	return &Bounded[T]{policy: policy, out: make(chan T, capacity), closing: make(chan struct{})}
}

// Send puts v into the buffer, or does with it what the policy says.
func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	select {
	case <-b.closing:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	default:
	}
	if b.policy == Block {
		select {
		case <-b.closing:
			return ErrClosed
		case <-ctx.Done():
			return ctx.Err()
		case b.out <- v:
			return nil
		}
	}
	for {
		select {
		case b.out <- v:
			return nil
		default:
		}
		if b.policy == DropNewest {
			b.dropped.Add(1)
			return ErrFull
		}
		select {
		case <-b.out:
			b.dropped.Add(1)
		default:
		}
	}
}

// Out is the channel on which the values are received.
func (b *Bounded[T]) Out() <-chan T { return b.out }

// Dropped is the number of values that the policy has dropped.
func (b *Bounded[T]) Dropped() int { return int(b.dropped.Load()) }

// Close ends the sending. Accepted values can still be received.
func (b *Bounded[T]) Close() {
	b.once.Do(func() {
		close(b.closing)
		go func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			close(b.out)
		}()
	})
}
