//go:build ignore

// Mistake: A panic of handle in a closed pump is taken for the end of the pump: Run returns nil.
// Killed by: panic-goes-to-the-caller
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer func() {
		p.mu.Lock()
		closed := p.closed
		p.mu.Unlock()
		p.stop()
		if closed {
			_ = recover()
		}
	}()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
