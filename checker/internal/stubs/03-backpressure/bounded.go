package backpressure

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
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
type Bounded[T any] struct {
}

// NewBounded makes a buffer with room for capacity values. A capacity below 1
// counts as 1. Neither NewBounded nor Send leaves a goroutine behind, whatever was sent: a
// buffer that is forgotten without Close costs no more than its memory. Nor does Send leave
// a derived context or a context.AfterFunc at its ctx, however it returns: each may be a
// goroutine, too.
func NewBounded[T any](capacity int, policy Policy) *Bounded[T] {
	panic(kit.TODO("NewBounded"))
}

// Send puts v into the buffer. The policy decides what happens when the buffer is
// full; under DropNewest and DropOldest Send never waits for a receiver. DropNewest drops
// v only if the buffer is full at that moment. If a receiver takes a value while a Send
// under DropOldest makes room, one may be dropped although there is room by then.
//
// It returns nil if the buffer has accepted v. Then v is received once, unless
// DropOldest drops it later. It returns ErrFull if DropNewest dropped v, ErrClosed
// if the buffer is closed, and ctx.Err() if ctx is done, and in these three cases v
// is never received. If ctx is done before the call, Send returns ctx.Err(), whether or
// not there is room, under every policy. If the buffer is closed and ctx is done,
// either error may be returned. A Send that begins after Close, or with a ctx that is done,
// takes nothing out of the buffer. Errors are returned as they are, not wrapped.
//
// Values of one sender are received in the order in which it sent them.
func (b *Bounded[T]) Send(ctx context.Context, v T) error {
	panic(kit.TODO("Bounded.Send"))
}

// Out is the channel on which the values are received: the same one every time. It
// is closed when the buffer is closed and everything accepted has been received.
func (b *Bounded[T]) Out() <-chan T {
	panic(kit.TODO("Bounded.Out"))
}

// Dropped is the number of values that the policy has dropped: new ones under
// DropNewest, old ones under DropOldest, none under Block. A value that was not
// accepted because of ctx or Close was not dropped by the policy and is not counted.
func (b *Bounded[T]) Dropped() int {
	panic(kit.TODO("Bounded.Dropped"))
}

// Close ends the sending. Every waiting Send returns ErrClosed, and so does every
// later one. If a receiver makes room or ctx ends while Close is called, a waiting Send
// may return what it would without Close. Accepted values can still be received; then
// Out is closed. Close waits for no receiver. It may return a moment before Out is
// closed. A second Close does nothing.
func (b *Bounded[T]) Close() {
	panic(kit.TODO("Bounded.Close"))
}
