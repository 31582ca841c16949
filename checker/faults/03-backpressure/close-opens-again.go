//go:build ignore

// Mistake: Close means that Run returns when all was handled: it takes back that the pump has stopped, and Add takes values.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "sync"

type Pump[T any] struct {
	wake chan struct{}

	mu      sync.Mutex
	pending ring[T]
	started bool
	closed  bool
	stopped bool
}

func (p *Pump[T]) push(v T) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.stopped {
		return false
	}
	p.pending.push(v)
	return true
}

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	p.pending = ring[T]{}
}

func (p *Pump[T]) Close() {
	p.mu.Lock()
	p.closed = !p.stopped
	p.stopped = false
	p.mu.Unlock()
	TrySend(p.wake, struct{}{})
}
