//go:build ignore

// Mistake: Run wakes up every ten days and looks, in case that a ring of the bell was lost: so seldom, it thinks, does not count.
// Killed by: idle-pump-sleeps
// Verdict: wrong-answer

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
		tick, cancel := context.WithTimeout(ctx, 10*24*3600*1_000_000_000)
		select {
		case <-p.wake:
		case <-tick.Done():
		}
		cancel()
	}
}
