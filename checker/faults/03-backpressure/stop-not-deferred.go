//go:build ignore

// Mistake: The clean-up stands after the loop: a panic of handle goes past it.
// Killed by: panic-goes-to-the-caller
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			p.stop()
			return err
		}
		handle(v)
	}
}
