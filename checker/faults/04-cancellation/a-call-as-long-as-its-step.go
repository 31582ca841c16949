//go:build ignore

// Mistake: What f took is taken off the step if it is less, and nothing is left of the step if it is more. As long as the step is neither.
// Killed by: run-not-sliding
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		began, wait := time.Now(), b.Step()
		f(ctx)
		if took := time.Since(began); !sliding {
			switch {
			case took < wait:
				wait -= took
			case took > wait:
				wait = 0
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
