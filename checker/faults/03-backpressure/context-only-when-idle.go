//go:build ignore

// Mistake: ctx is looked at only while nothing is pending: a cancelled pump first works off its backlog.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		if err := ctx.Err(); err != nil {
			return v, false, err
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
}
