//go:build ignore

// Mistake: Run takes all that is pending at once, and says under the next lock how many those are: in between Len is 0.
// Killed by: handler-may-call-the-pump
// Verdict: wrong-answer

package backpressure

import "sync"

type Pump[T any] struct {
	wake chan struct{}

	mu      sync.Mutex
	pending ring[T]
	left    int // of batch
	started bool
	closed  bool

	batch ring[T] // Run's own: taken and not handled yet
}

func (p *Pump[T]) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending.n + p.left
}

func (p *Pump[T]) take() (v T, ok, last bool) {
	if p.batch.n == 0 {
		p.mu.Lock()
		p.batch, p.pending = p.pending, ring[T]{}
		last = p.closed
		p.mu.Unlock()
	}
	if p.batch.n > 0 {
		v, ok = p.batch.pop(), true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left = p.batch.n
	return v, ok, last && !ok
}

func (p *Pump[T]) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.pending, p.left = ring[T]{}, 0
	p.batch = ring[T]{}
}
