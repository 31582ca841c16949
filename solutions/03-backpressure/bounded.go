package backpressure

import (
	"context"
	"errors"
	"sync"
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

// Bounded is a buffer of fixed size between senders and receivers, any number of
// each. All its methods may be called from any goroutine at any time, also while a
// Send waits. A Send that waits sleeps: it does not poll.
//
// The buffer is a channel: it has the size, the order and the waiting already. What
// is added is a way to close it while others send. A send on a closed channel is a
// panic, so Close goes in three steps: let no more senders in, wake those that
// wait, and close the channel when the last of them has left.
type Bounded[T any] struct {
	policy Policy
	values chan T
	done   chan struct{} // closed first by Close: wakes the senders that wait

	// mu is never held where a goroutine may wait for another: every Lock gets it at
	// once.
	mu      sync.Mutex // guards the fields below, and makes the two steps of displace one
	closed  bool
	dropped int
	inside  sync.WaitGroup // the Sends under way; raised only under mu while closed is false
}

// NewBounded makes a buffer that holds up to capacity values. A capacity below 1
// counts as 1.
func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	return &Bounded[T]{
		policy: policy,
		values: make(chan T, max(capacity, 1)),
		done:   make(chan struct{}),
	}
}

// Send puts v into the buffer, or does with it what the policy says.
func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	if err := ctx.Err(); err != nil {
		return err // asked first: a select would let room win as often as not
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

// enter reports whether a Send may use the channel, and counts it in if so. That
// Add is under the lock and behind the look at closed is what makes Wait safe: every
// Add happens before closed is set, and so before Close calls Wait.
func (b *Bounded[T]) enter() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.inside.Add(1)
	return true
}

func (b *Bounded[T]) wait(ctx context.Context, v T) error {
	select {
	case b.values <- v:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-b.done:
		return ErrClosed
	}
}

func (b *Bounded[T]) offer(v T) error {
	if TrySend(b.values, v) {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dropped++
	return ErrFull
}

// displace makes room and uses it. Both under one lock: another sender could take
// the room in between, and then a value more than needed would be dropped. A receiver
// may come in between too, which only makes more room; so no step ever waits.
func (b *Bounded[T]) displace(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !TrySend(b.values, v) {
		select {
		case <-b.values:
			b.dropped++
		default: // a receiver was faster
		}
	}
}

// Out is the channel on which the values are received.
func (b *Bounded[T]) Out() <-chan T { return b.values }

// Dropped is the number of values that the policy has dropped.
func (b *Bounded[T]) Dropped() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.dropped
}

// Close ends the sending. Receivers get what is left, and then the end of the channel.
func (b *Bounded[T]) Close() {
	if !b.shut() {
		return
	}
	b.inside.Wait() // not for long: done is closed, and nothing else in Send waits
	close(b.values)
}

// shut lets no more senders in, and reports whether it was the first to do so.
func (b *Bounded[T]) shut() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.closed = true
	close(b.done)
	return true
}
