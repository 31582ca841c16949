//go:build ignore

// Mistake: When a thousand values have been handled, ctx is looked at for one in sixteen, to save time.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop() // deferred: handle may panic
	for handled := 0; ; handled++ {
		look := ctx
		if handled > 1000 && handled%16 != 0 && p.Len() > 0 {
			look = context.WithoutCancel(ctx)
		}
		v, ok, err := p.next(look)
		if !ok {
			return err
		}
		handle(v)
	}
}
