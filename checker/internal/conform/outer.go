package conform

import (
	"context"
	"runtime"
	"sync"
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

// Registry is a context that ends when End is called, with the values of its parent. It knows what waits for
// its end by context.AfterFunc or by a context that is derived from it: the context package asks a parent
// that it does not know for its AfterFunc. A goroutine that waits for Done itself is not counted.
type Registry struct {
	context.Context
	done chan struct{}

	mu      sync.Mutex // guards the fields below
	err     error
	waiting map[*func()]bool
}

// NewRegistry makes a Registry with the values of parent.
func NewRegistry(parent context.Context) *Registry {
	return &Registry{Context: parent, done: make(chan struct{}), waiting: map[*func()]bool{}}
}

// Done is a channel that End closes.
func (r *Registry) Done() <-chan struct{} { return r.done }

// Err is context.Canceled when End was called.
func (r *Registry) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// AfterFunc is what a derived context and context.AfterFunc register with.
func (r *Registry) AfterFunc(f func()) (stop func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		go f()
		return func() bool { return false }
	}
	r.waiting[&f] = true
	return func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		was := r.waiting[&f]
		delete(r.waiting, &f)
		return was
	}
}

// Waiting is how many functions and contexts wait for the end of r.
func (r *Registry) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting)
}

// End ends r and lets go of what waits for that. It says how many functions and contexts that were.
func (r *Registry) End() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	held := len(r.waiting)
	for f := range r.waiting {
		go (*f)()
	}
	r.err, r.waiting = context.Canceled, nil
	close(r.done)
	return held
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
