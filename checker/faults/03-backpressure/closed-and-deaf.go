//go:build ignore

// Mistake: After Close the context is no longer looked at: the rest of the backlog has to be handled first.
// Killed by: cancel-stops-the-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		p.mu.Lock()
		closed := p.closed
		p.mu.Unlock()
		if err := ctx.Err(); err != nil && !closed {
			return v, false, err
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
