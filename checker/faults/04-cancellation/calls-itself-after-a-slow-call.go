//go:build ignore

// Mistake: After an f that took longer than its step, Run calls itself: the stack grows with each of these.
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
		if sliding {
			began = time.Now()
		}
		wait := time.Until(began.Add(b.Step()))
		if wait < 0 {
			b.Run(ctx, sliding, f)
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
