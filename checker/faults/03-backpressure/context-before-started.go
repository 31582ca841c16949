//go:build ignore

// Mistake: The context is looked at first: a second Run whose context has ended returns its error, where ErrStarted should come.
// Killed by: runs-once
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	first := p.start()
	if err := ctx.Err(); err != nil {
		if first {
			p.stop()
		}
		return err
	}
	if !first {
		return ErrStarted
	}
	defer p.stop() // deferred: handle may panic
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
