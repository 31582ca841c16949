//go:build ignore

// Mistake: Each round is a call of Run by Run: Go has no tail calls, so the stack grows until the process dies.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	if ctx.Err() != nil {
		return
	}
	began := time.Now()
	f(ctx)
	if sliding {
		began = time.Now()
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(began.Add(b.Step()))):
	}
	b.Run(ctx, sliding, f)
}
