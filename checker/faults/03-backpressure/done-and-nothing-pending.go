//go:build ignore

// Mistake: A ctx that ends with nothing pending counts as a pump that is drained: Run returns nil, though nobody has closed it.
// Killed by: cancel-stops-the-pump
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
		if ctx.Err() != nil && p.Len() == 0 {
			return nil
		}
	}
}
