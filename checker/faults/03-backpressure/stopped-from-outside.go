//go:build ignore

// Mistake: The end of ctx empties the pump at once, from another goroutine: a Run that has just looked at ctx finds nothing pending and returns nil.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop()
	defer context.AfterFunc(ctx, p.stop)()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
