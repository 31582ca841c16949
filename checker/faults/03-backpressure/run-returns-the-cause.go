//go:build ignore

// Mistake: Run returns the context's cause in the place of ctx.Err().
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return v, false, context.Cause(ctx)
		}
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
}
