//go:build ignore

// Mistake: No wait is to be longer than Cap, so Run bounds what Step returns, a Duration above it and jitter included.
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	step := func() <-chan time.Time {
		wait := b.Step()
		if b.Cap > 0 {
			wait = min(wait, b.Cap)
		}
		return time.After(wait)
	}
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = step()
		}
		f(ctx)
		if sliding {
			next = step()
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
