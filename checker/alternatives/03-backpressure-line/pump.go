package backpressure

import (
	"context"
	"errors"
)

// ErrStarted is returned by Run when the pump has been run before.
var ErrStarted = errors.New("backpressure: pump was already run")

// node is a pending value.
type node[T any] struct {
	v    T
	next *node[T]
}

// Pump is a queue without end between senders and one handler.
type Pump[T any] struct {
	state chan *state[T]
	bell  chan struct{}
}

// state is what the pump knows. All of it belongs to the goroutine that has received it.
type state[T any] struct {
	head, tail               *node[T]
	n                        int
	started, closed, stopped bool
}

// NewPump makes an empty pump.
func NewPump[T any]() *Pump[T] {
	p := &Pump[T]{state: make(chan *state[T], 1), bell: make(chan struct{}, 1)}
	p.state <- &state[T]{}
	return p
}

// with takes the state, calls f with it and puts it back.
func (p *Pump[T]) with(f func(s *state[T])) {
	s := <-p.state
	f(s)
	p.state <- s
}

// Add appends v to what is pending, unless the pump is closed or has stopped.
func (p *Pump[T]) Add(v T) (ok bool) {
	p.with(func(s *state[T]) {
		if s.closed || s.stopped {
			return
		}
		n := &node[T]{v: v}
		if s.n == 0 {
			s.head = n
		} else {
			s.tail.next = n
		}
		s.tail = n
		s.n++
		ok = true
	})
	TrySend(p.bell, struct{}{})
	return ok
}

// Len is the number of values that are pending.
func (p *Pump[T]) Len() (n int) {
	p.with(func(s *state[T]) { n = s.n })
	return n
}

// Run calls handle for each value until the pump is closed and drained, or ctx ends.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	var again bool
	p.with(func(s *state[T]) { again, s.started = s.started, true })
	if again {
		return ErrStarted
	}
	defer p.with(func(s *state[T]) { s.stopped, s.head, s.tail, s.n = true, nil, nil, 0 })
	for ctx.Err() == nil {
		var v T
		var some, over bool
		p.with(func(s *state[T]) {
			some, over = s.n > 0, s.closed
			if !some {
				return
			}
			v = s.head.v
			s.head = s.head.next
			s.n--
			if s.n == 0 {
				s.tail = nil
			}
		})
		if some {
			handle(v)
			continue
		}
		if over {
			return nil
		}
		select {
		case <-p.bell:
		case <-ctx.Done():
		}
	}
	return ctx.Err()
}

// Close says that no more values will come.
func (p *Pump[T]) Close() {
	p.with(func(s *state[T]) { s.closed = true })
	TrySend(p.bell, struct{}{})
}
