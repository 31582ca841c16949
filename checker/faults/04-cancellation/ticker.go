//go:build ignore

// Mistake: A ticker makes the beat. It remembers a tick that f slept through, so a slow call is followed by
//   two in a row.
// Killed by: run-not-sliding
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding && next == nil {
			next = time.Tick(b.Step())
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
