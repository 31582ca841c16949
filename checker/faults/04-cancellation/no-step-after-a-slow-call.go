//go:build ignore

// Mistake: After a call that took longer than the step there is no wait, so the backoff does not move on either.
// Killed by: run-not-sliding
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		from := time.Now()
		f(ctx)
		if sliding {
			from = time.Now()
		} else if time.Since(from) >= b.Duration {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Until(from.Add(b.Step()))):
		}
	}
}
