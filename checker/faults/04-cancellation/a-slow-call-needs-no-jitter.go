//go:build ignore

// Mistake: An f that took longer than Duration is called again at once, although jitter has made the step
//   longer than f took.
// Killed by: run-not-sliding
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		began := time.Now()
		least := b.Duration
		f(ctx)
		if sliding {
			began = time.Now()
		}
		wait := time.Until(began.Add(b.Step()))
		if !sliding && time.Since(began) >= least {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
