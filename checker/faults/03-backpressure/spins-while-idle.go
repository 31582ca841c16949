//go:build ignore

// Mistake: A default in the select: Run looks again and again instead of sleeping.
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
		select {
		case <-p.wake:
		case <-ctx.Done():
		default:
		}
	}
}
