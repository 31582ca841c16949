//go:build ignore

// Mistake: Run takes all that is pending at once, to lock less often; Len counts only what was added since.
// Killed by: handler-may-call-the-pump
// Verdict: wrong-answer

package backpressure

import "sync"

type Pump[T any] struct {
	wake chan struct{}

	mu      sync.Mutex
	pending ring[T]
	batch   ring[T] // taken by Run and not handled yet
	started bool
	closed  bool
}

func (p *Pump[T]) take() (v T, ok, last bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.batch.n == 0 {
		p.batch, p.pending = p.pending, ring[T]{}
	}
	if p.batch.n == 0 {
		return v, false, p.closed
	}
	return p.batch.pop(), true, false
}

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.pending, p.batch = ring[T]{}, ring[T]{}
}
