//go:build ignore

// Mistake: Run draws its jitter once, before the loop, so all waits are equally long.
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	b.Duration, b.Jitter = jittered(b.Duration, b.Jitter), 0
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
		}
		f(ctx)
		if sliding {
			next = time.After(b.Step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
