package backpressure

import (
	"context"
	"errors"
	"sync"
)

// ErrStarted is returned by Run when the pump has been run before.
var ErrStarted = errors.New("backpressure: pump was already run")

// Pump stands between a sender that must never wait and a handler that may be slow.
// The stub's documentation is the contract.
//
// client-go's processorListener does the same with two goroutines and two channels:
// pop moves notifications from one to the other through a ring that only it
// touches, and run calls the handler. Here the ring is under a lock instead, which
// leaves one goroutine, the caller's own. The lock is held for a few instructions
// and never while handle runs or anybody waits: a pump that held it there would
// make the sender as slow as the handler (kubernetes#26980).
type Pump[T any] struct {
	// wake has room for one token: "look again". It is sent after every change, so
	// a Run that looked too early finds the token when it goes to sleep. More than
	// one would say nothing new.
	wake chan struct{}

	mu      sync.Mutex // guards the fields below
	pending ring[T]
	started bool // Run was called
	closed  bool // no more values: Close was called, or the pump has stopped
}

// NewPump makes an empty pump.
func NewPump[T any]() *Pump[T] {
	return &Pump[T]{wake: make(chan struct{}, 1)}
}

// Add appends v to what is pending. It reports false after Close or a stop.
func (p *Pump[T]) Add(v T) bool {
	if !p.push(v) {
		return false
	}
	TrySend(p.wake, struct{}{})
	return true
}

func (p *Pump[T]) push(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.pending.push(v)
	return true
}

// Len is the number of values that are pending.
func (p *Pump[T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending.n
}

// Run calls handle for each value until the pump is closed and drained, or ctx ends.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop() // deferred: handle may panic
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}

func (p *Pump[T]) start() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := !p.started
	p.started = true
	return first
}

// stop ends the pump and lets go of everything that is pending.
func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.pending = ring[T]{}
}

// next waits for a value. It reports false, with the error that Run returns, when
// there will be none. ctx is asked before every value: a select would let a pending
// value win as often as not.
func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return v, false, err
		}
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
}

// take pops a value if there is one, and reports whether none will ever follow. Both
// under one lock: nothing can be added between the look at pending and at closed.
func (p *Pump[T]) take() (v T, ok, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pending.n == 0 {
		return v, false, p.closed
	}
	return p.pending.pop(), true, false
}

// Close says that no more values will come.
func (p *Pump[T]) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	TrySend(p.wake, struct{}{})
}

// The ring grows from the first size, and above the second it also shrinks. 1024 is
// what an informer's listener starts with.
const (
	firstSize = 16
	smallSize = 1024
)

// ring is a queue in a circle of slots: n values from head on, over the end and
// around. Its zero value is empty and ready to use. It is for one goroutine at a time.
//
// It doubles when it is full and halves when it is three quarters empty. Between two
// such moves lie as many pushes and pops as there are values to move, so each costs
// constant time on average. It is tempting to halve as soon as half is empty: then
// one push and one pop at the border would move everything each time.
type ring[T any] struct {
	slots []T // the length is 0 or a power of two
	head  int
	n     int
}

func (r *ring[T]) push(v T) {
	if r.n == len(r.slots) {
		r.resize(max(2*len(r.slots), firstSize))
	}
	r.slots[(r.head+r.n)&(len(r.slots)-1)] = v
	r.n++
}

// pop takes the oldest value; there must be one. The slot is zeroed, or the ring
// would keep the value alive until the slot is used again (kubernetes#104991).
func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	var zero T
	r.slots[r.head] = zero
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}

// resize moves the values to the front of new slots: first those up to the end of
// the old ones, then those that had gone around.
func (r *ring[T]) resize(size int) {
	slots := make([]T, size)
	front := copy(slots, r.slots[r.head:min(r.head+r.n, len(r.slots))])
	copy(slots[front:], r.slots[:r.n-front])
	r.slots, r.head = slots, 0
}
