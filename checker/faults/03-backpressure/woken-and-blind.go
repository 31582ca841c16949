//go:build ignore

// Mistake: A Run that the bell has woken takes the value that it was woken for without a look at ctx, which may have ended meanwhile.
// Killed by: cancel-wakes-an-idle-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return v, false, err
	}
	for {
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
			return v, false, ctx.Err()
		}
	}
}
