//go:build ignore

// Mistake: With one step there is nothing to grow: Run takes it before the loop begins, and waits for what comes after it.
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	if b.Steps == 1 {
		b.Step()
	}
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
