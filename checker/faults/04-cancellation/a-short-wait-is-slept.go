//go:build ignore

// Mistake: A wait of a few milliseconds is slept through, because a timer for it seems too much: the cancellation has to wait.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		began := time.Now()
		f(ctx)
		wait := b.Step()
		if !sliding {
			wait -= time.Since(began)
		}
		if wait <= 10*time.Millisecond {
			time.Sleep(wait)
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
