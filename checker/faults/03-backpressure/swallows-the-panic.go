//go:build ignore

// Mistake: A panic of handle is recovered and the value skipped, which nobody ever hears of.
// Killed by: panic-goes-to-the-caller
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
		func() {
			defer func() { _ = recover() }()
			handle(v)
		}()
	}
}
