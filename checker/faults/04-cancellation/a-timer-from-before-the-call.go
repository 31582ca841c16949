//go:build ignore

// Mistake: The timer is made before f is called, and stopped in the wait. When ctx ends in f there is no wait.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		over := make(chan struct{})
		var t *time.Timer
		if !sliding {
			t = time.AfterFunc(b.Step(), func() { close(over) })
		}
		f(ctx)
		if ctx.Err() != nil {
			return
		}
		if sliding {
			t = time.AfterFunc(b.Step(), func() { close(over) })
		}
		select {
		case <-ctx.Done():
			t.Stop()
		case <-over:
		}
	}
}
