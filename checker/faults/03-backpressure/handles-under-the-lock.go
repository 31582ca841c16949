//go:build ignore

// Mistake: The lock is held while handle runs, so Add waits for the slowest handler (kubernetes#26980).
// Killed by: add-never-waits
// Verdict: deadlock

package backpressure

import "context"

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
		p.mu.Lock()
		handle(v)
		p.mu.Unlock()
	}
}
