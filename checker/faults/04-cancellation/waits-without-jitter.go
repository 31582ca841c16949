//go:build ignore

// Mistake: Run waits for Duration, and Step only moves it on: nobody waits for the jitter.
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	step := func() time.Duration {
		wait := b.Duration
		b.Step()
		return wait
	}
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(step())
		}
		f(ctx)
		if sliding {
			next = time.After(step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
