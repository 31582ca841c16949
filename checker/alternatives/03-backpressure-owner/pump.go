package backpressure

import (
	"context"
	"errors"
)

// ErrStarted is returned by Run when the pump has been run before.
var ErrStarted = errors.New("backpressure: pump was already run")

// Pump belongs to its owner. Its ring has 1024 slots from the beginning, grows fourfold
// and becomes small again only when it is empty.
type Pump[T any] struct {
	owner    owner
	ring     []T
	head, n  int // the values stand from head on, round the end
	closed   bool
	stopped  bool
	ran      bool
	sleeping chan struct{} // closed to wake Run
}

// NewPump makes an empty pump.
func NewPump[T any]() *Pump[T] { return &Pump[T]{ring: make([]T, 1024)} }

func (p *Pump[T]) wake() {
	if p.sleeping != nil {
		close(p.sleeping)
		p.sleeping = nil
	}
}

// Add appends v to what is pending, unless the pump is closed or has stopped.
func (p *Pump[T]) Add(v T) (ok bool) {
	p.owner.do(func() {
		if p.closed || p.stopped {
			return
		}
		ok = true
		if p.n == len(p.ring) {
			big := make([]T, 4*len(p.ring))
			k := copy(big, p.ring[p.head:])
			copy(big[k:], p.ring[:p.head])
			p.ring, p.head = big, 0
		}
		p.ring[(p.head+p.n)%len(p.ring)] = v
		p.n++
		p.wake()
	})
	return ok
}

// Len is the number of values that are pending.
func (p *Pump[T]) Len() (n int) {
	p.owner.do(func() { n = p.n })
	return n
}

// Run calls handle for each value, in the order in which they were added, one at a time.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	again := false
	p.owner.do(func() { again, p.ran = p.ran, true })
	if again {
		return ErrStarted
	}
	defer p.owner.do(func() {
		p.stopped = true
		p.ring, p.head, p.n = nil, 0, 0
	})
	for {
		sleep, err := p.one(ctx, handle)
		switch {
		case err == errDrained:
			return nil
		case err != nil:
			return err
		case sleep != nil:
			select {
			case <-sleep:
			case <-ctx.Done():
			}
		}
	}
}

var errDrained = errors.New("drained")

// one hands out a value, or returns a channel that is closed when there may be more.
func (p *Pump[T]) one(ctx context.Context, handle func(v T)) (sleep chan struct{}, err error) {
	var v T
	p.owner.do(func() {
		switch err = ctx.Err(); {
		case err != nil:
		case p.n > 0:
			var zero T
			v, p.ring[p.head] = p.ring[p.head], zero
			p.head = (p.head + 1) % len(p.ring)
			p.n--
			if p.n == 0 && len(p.ring) > 1024 {
				p.ring, p.head = make([]T, 1024), 0
			}
		case p.closed:
			err = errDrained
		default:
			sleep = make(chan struct{})
			p.sleeping = sleep
		}
	})
	if err == nil && sleep == nil {
		if err = ctx.Err(); err == nil {
			handle(v)
		}
	}
	return sleep, err
}

// Close says that no more values will come.
func (p *Pump[T]) Close() {
	p.owner.do(func() {
		p.closed = true
		p.wake()
	})
}
