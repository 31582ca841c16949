//go:build ignore

// Mistake: The wait is Duration itself, so the Backoff never steps (kubernetes#87794: a fixed second between
//   retries).
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
		}
		f(ctx)
		if sliding {
			next = time.After(b.Duration)
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
