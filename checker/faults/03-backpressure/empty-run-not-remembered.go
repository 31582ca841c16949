//go:build ignore

// Mistake: A Run that finds the pump closed and empty returns nil before it is marked as run, so that the next one may run again.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	p.mu.Lock()
	over := p.closed && p.pending.n == 0 && !p.started
	p.mu.Unlock()
	if over {
		return nil
	}
	if !p.start() {
		return ErrStarted
	}
	defer p.stop()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
