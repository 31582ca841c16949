package backpressure

import (
	"context"
	"errors"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ErrStarted is returned by Run when the pump has been run before.
var ErrStarted = errors.New("backpressure: pump was already run")

// Pump stands between a sender that must never wait and a handler that may be slow:
// an informer on one side, an event handler on the other. The values that the handler
// has not been given yet are pending, in a buffer that grows as it must and shrinks again.
//
// A Pump can end in two ways. After Close it takes no more values, and Run returns
// when the last pending one has been handled. When the ctx of Run ends, or handle panics,
// it stops: what is pending is thrown away.
//
// Memory: once handle has returned, the pump keeps no reference to the value that
// it was given, however many others are still pending. Room for 1024 values is always
// allowed. Beyond that, the buffer has room for at most about four times the peak: the
// largest number of values that were pending at once since it was last empty. This holds when
// it has just grown, too, and however many values have passed through. When nothing is
// pending, in a new pump too, and even if handle still works on the last value, the buffer
// has room for no more than 1024 values, however large it has been. A pump that has stopped
// holds no value at all, and its Len is 0.
//
// Time: Add and the delivery of a value take constant time on average.
// A pump with nothing to do uses no processor time: it does not poll, however seldom, and
// an Add wakes it at once.
//
// All methods may be called from any goroutine at any time, also from inside handle.
type Pump[T any] struct {
}

// NewPump makes an empty pump. It starts no goroutine: a pump that is never run
// costs no more than its memory.
func NewPump[T any]() *Pump[T] {
	panic(kit.TODO("NewPump"))
}

// Add appends v to what is pending and reports true, before Run as well as during
// it. It reports false, and keeps nothing of v, after Close or when the pump has
// stopped. Add never waits for the handler.
func (p *Pump[T]) Add(v T) bool {
	panic(kit.TODO("Pump.Add"))
}

// Len is the number of values that are pending: added and not yet given to handle.
func (p *Pump[T]) Len() int {
	panic(kit.TODO("Pump.Len"))
}

// Run calls handle for each value, in the order in which they were added, one at a
// time, on the goroutine that called Run. It waits when nothing is pending.
//
// It returns nil when the pump is closed and everything pending was handled. When
// ctx is done it makes no further call of handle, lets a running call return, stops
// the pump and returns ctx.Err(). (Until that call has returned, Add may take values
// or refuse them, and Len may be 0 or not.) Run looks at ctx before it takes a value: a ctx
// that is done by then always wins against a value that is pending. If ctx is done and the
// pump is closed with nothing pending, either nil or ctx.Err() may be returned; but a Run that
// has thrown values away returns ctx.Err(). When Run is over, by return or by a panic, nothing of the pump still
// waits for ctx: no goroutine, no context.AfterFunc, no derived context. This holds for a Run
// that returned ErrStarted, too.
//
// Run does not recover a panic of handle: the panic goes through Run to its caller,
// and the pump has stopped.
//
// A pump can be run once. Every other call of Run, at the same time or later,
// returns ErrStarted at once and never calls handle. A Run whose ctx was done before the
// call counts, too.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	panic(kit.TODO("Pump.Run"))
}

// Close says that no more values will come. It returns at once; Run goes on until
// everything pending was handled. A second Close does nothing.
func (p *Pump[T]) Close() {
	panic(kit.TODO("Pump.Close"))
}
