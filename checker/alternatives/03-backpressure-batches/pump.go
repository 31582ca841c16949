package backpressure

import (
	"context"
	"errors"
	"sync"
)

// ErrStarted is returned by Run when the pump has been run before.
var ErrStarted = errors.New("backpressure: pump was already run")

// Pump is a queue without end between senders and one handler.
type Pump[T any] struct {
	mu      sync.Mutex    // guards the fields below
	in      []T           // added
	batch   []T           // being handed out
	pos     int           // the first of batch that has not been handed out
	state   int           // of the flags below
	waiting chan struct{} // closed to wake Run, nil where it does not wait
}

const (
	started = 1 << iota
	closed
	stopped
)

// NewPump makes an empty pump.
func NewPump[T any]() *Pump[T] { return new(Pump[T]) }

// wake ends the wait of Run. mu is held.
func (p *Pump[T]) wake() {
	if p.waiting != nil {
		close(p.waiting)
		p.waiting = nil
	}
}

// Add appends v to what is pending, unless the pump is closed or has stopped.
func (p *Pump[T]) Add(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state&(closed|stopped) != 0 {
		return false
	}
	p.in = append(p.in, v)
	p.wake()
	return true
}

// Len is the number of values that are pending.
func (p *Pump[T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.in) + len(p.batch) - p.pos
}

// Run calls handle for each value until the pump is closed and drained, or ctx ends.
func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	p.mu.Lock()
	defer func() { p.mu.Unlock() }()
	if p.state&started != 0 {
		return ErrStarted
	}
	p.state |= started
	defer func() {
		p.state |= stopped
		p.in, p.batch, p.pos = nil, nil, 0
	}()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p.pos == len(p.batch) {
			p.batch, p.pos = p.in, 0
			p.in = nil
		}
		if p.pos < len(p.batch) {
			v := p.batch[p.pos]
			var zero T
			p.batch[p.pos] = zero
			p.pos++
			if p.pos == len(p.batch) {
				p.batch, p.pos = nil, 0
			}
			func() {
				p.mu.Unlock()
				defer p.mu.Lock()
				handle(v)
			}()
			continue
		}
		if p.state&closed != 0 {
			return nil
		}
		w := make(chan struct{})
		p.waiting = w
		p.mu.Unlock()
		select {
		case <-w:
		case <-ctx.Done():
		}
		p.mu.Lock()
	}
}

// Close says that no more values will come.
func (p *Pump[T]) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state |= closed
	p.wake()
}
