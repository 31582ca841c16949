//go:build ignore

// Mistake: The deferred stop leaves it to the loop if ctx has ended: after a panic of handle nothing stops the pump then.
// Killed by: panic-goes-to-the-caller
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer func() {
		if ctx.Err() == nil {
			p.stop()
		}
	}()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			p.stop()
			return err
		}
		handle(v)
	}
}
