//go:build ignore

// Mistake: While very many values are pending, ctx is looked at for one in sixteen of them, to save time.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		if n := p.Len(); n < smallSize || n%16 == 0 {
			if err := ctx.Err(); err != nil {
				return v, false, err
			}
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
