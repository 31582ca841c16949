//go:build ignore

// Mistake: A lock of its own makes sure that nobody closes the pump while handle runs; handle itself may want
//   to.
// Killed by: handler-may-call-the-pump
// Verdict: deadlock

package backpressure

import (
	"context"
	"sync"
)

type Pump[T any] struct {
	wake chan struct{}

	busy    sync.Mutex
	mu      sync.Mutex
	pending ring[T]
	started bool
	closed  bool
}

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		p.busy.Lock()
		handle(v)
		p.busy.Unlock()
	}
}

func (p *Pump[T]) Close() {
	p.busy.Lock()
	defer p.busy.Unlock()
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	TrySend(p.wake, struct{}{})
}
