package conform

import (
	"context"
	"runtime"
	"sync/atomic"
)

// Outer is a context that never ends, with the values of parent. A context that is derived
// from it signs off when it is cancelled, and Outer lets all other goroutines run there: so
// what the subject does after its cancel comes later than what others do about the cancel.
func Outer(parent context.Context) context.Context {
	return outer{parent, make(chan struct{})}
}

// outer has a Done of its own: the context package asks a parent that it does not know for
// its AfterFunc.
type outer struct {
	context.Context
	done chan struct{}
}

func (o outer) Done() <-chan struct{} { return o.done }

func (outer) Err() error { return nil }

// AfterFunc is what a derived context registers with. What it returns is called by the cancel
// of the derived context, after that has ended and everything below it.
func (outer) AfterFunc(func()) (stop func() bool) {
	return func() bool {
		for range 100 { // a sleep would stop a bubble in which somebody waits for the canceller's lock
			runtime.Gosched()
		}
		return true
	}
}

// Foreign is a context of a type that the context package does not know, with the values of parent. It
// ends with err when end is called, once; what is derived from it ends later, since the context
// package has a goroutine of its own listen to it.
func Foreign(parent context.Context, err error) (ctx context.Context, end func()) {
	f := &foreign{Context: parent, err: err, done: make(chan struct{})}
	return f, f.end
}

type foreign struct {
	context.Context
	err   error
	done  chan struct{}
	ended atomic.Bool
}

func (f *foreign) Done() <-chan struct{} { return f.done }

func (f *foreign) Err() error {
	if f.ended.Load() {
		return f.err
	}
	return nil
}

func (f *foreign) end() {
	f.ended.Store(true)
	close(f.done)
}
