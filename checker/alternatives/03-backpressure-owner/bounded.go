// Package backpressure is lab 03 with an owner: a Bounded and a Pump belong to a goroutine that
// runs commands, and that exists only while there are any. Each call waits for its command, and
// so it allocates a closure, a channel and often a goroutine. TrySend works on a goroutine of its own.
package backpressure

import (
	"context"
	"errors"
	"sync"
)

// Policy says what a Bounded buffer does with a value for which it has no room.
type Policy int

const (
	// Block makes Send wait.
	Block Policy = iota
	// DropNewest drops the value that is being sent.
	DropNewest
	// DropOldest drops the value that has been in the buffer longest.
	DropOldest
)

var (
	// ErrFull is returned by Send under DropNewest.
	ErrFull = errors.New("backpressure: buffer is full")
	// ErrClosed is returned by Send when the buffer is closed.
	ErrClosed = errors.New("backpressure: buffer is closed")
)

// owner is a goroutine that exists only while there are commands.
type owner struct {
	mu       sync.Mutex // guards what follows
	commands []func()
	working  bool
}

// do has f done by the owner, and waits for it.
func (o *owner) do(f func()) {
	done := make(chan struct{})
	o.mu.Lock()
	o.commands = append(o.commands, func() { f(); close(done) })
	if !o.working {
		o.working = true
		go o.work()
	}
	o.mu.Unlock()
	<-done
}

func (o *owner) work() {
	for {
		o.mu.Lock()
		batch := o.commands
		o.commands = nil
		if len(batch) == 0 {
			o.working = false
			o.mu.Unlock()
			return
		}
		o.mu.Unlock()
		for i, f := range batch {
			batch[i] = nil
			f()
		}
	}
}

// Bounded belongs to its owner. Only a Send that has to wait stands at the channel itself.
type Bounded[T any] struct {
	owner   owner
	policy  Policy
	ch      chan T
	shut    chan struct{} // closed by Close
	gone    chan struct{} // closed when ch is
	closed  bool
	waiting int // senders that stand at ch
	dropped int
}

// NewBounded makes a buffer with room for capacity values. It starts no goroutine.
func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	if capacity <= 0 {
		return NewBounded[T](1, policy)
	}
	return &Bounded[T]{policy: policy, ch: make(chan T, capacity), shut: make(chan struct{}), gone: make(chan struct{})}
}

// Send puts v into the buffer. The policy decides what happens when the buffer is full.
func (b *Bounded[T]) Send(ctx context.Context, v T) (err error) {
	if e := ctx.Err(); e != nil {
		return e
	}
	wait := false
	b.owner.do(func() {
		switch {
		case b.closed:
			err = ErrClosed
		case TrySend(b.ch, v):
		case b.policy == DropNewest:
			b.dropped++
			err = ErrFull
		case b.policy == DropOldest:
			for {
				select {
				case <-b.ch:
					b.dropped++
				default:
				}
				if TrySend(b.ch, v) {
					return
				}
			}
		default:
			wait = true
			b.waiting++
		}
	})
	if !wait {
		return err
	}
	select {
	case <-b.shut:
		err = ErrClosed
	case <-ctx.Done():
		err = ctx.Err()
	case b.ch <- v:
	}
	b.owner.do(func() {
		b.waiting--
		b.end()
	})
	return err
}

// end closes the channel when the last sender has left a closed buffer.
func (b *Bounded[T]) end() {
	if b.closed && b.waiting == 0 {
		select {
		case <-b.gone:
		default:
			close(b.ch)
			close(b.gone)
		}
	}
}

// Out is the channel on which the values are received.
func (b *Bounded[T]) Out() (out <-chan T) {
	b.owner.do(func() { out = b.ch })
	return out
}

// Dropped is the number of values that the policy has dropped.
func (b *Bounded[T]) Dropped() (n int) {
	b.owner.do(func() { n = b.dropped })
	return n
}

// Close ends the sending. It waits for the senders to leave, and for no receiver.
func (b *Bounded[T]) Close() {
	first := false
	b.owner.do(func() {
		if !b.closed {
			first = true
			b.closed = true
			close(b.shut)
			b.end()
		}
	})
	if first {
		<-b.gone
	}
}
