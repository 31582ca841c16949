//go:build ignore

// Mistake: A ctx without a Done channel is taken for one that is not to be waited for: Run looks again and again.
// Killed by: idle-pump-sleeps
// Verdict: timeout

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return v, false, err
		}
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		if ctx.Done() == nil {
			continue
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
}
