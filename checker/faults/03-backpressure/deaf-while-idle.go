//go:build ignore

// Mistake: An idle Run listens to the bell alone and sleeps through the end of its context.
// Killed by: cancel-wakes-an-idle-pump
// Verdict: deadlock

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
		<-p.wake
	}
}
