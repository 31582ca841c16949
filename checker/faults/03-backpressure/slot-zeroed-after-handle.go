//go:build ignore

// Mistake: The slot is zeroed when handle has returned: by then an Add may have put the next value there.
// Killed by: order-across-the-edge
// Verdict: wrong-answer

package backpressure

import "context"

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
		p.mu.Lock()
		p.pending.clear()
		p.mu.Unlock()
	}
}

type ring[T any] struct {
	slots []T // the length is 0 or a power of two
	head  int
	n     int
	taken *T // the slot whose value is in the handler's hands
}

func (r *ring[T]) clear() {
	var zero T
	*r.taken = zero
}

func (r *ring[T]) pop() T {
	v := r.slots[r.head]
	r.taken = &r.slots[r.head]
	r.head = (r.head + 1) & (len(r.slots) - 1)
	r.n--
	if len(r.slots) > smallSize && r.n <= len(r.slots)/4 {
		r.resize(len(r.slots) / 2)
	}
	return v
}
