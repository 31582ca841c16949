//go:build ignore

// Mistake: Each round derives a context for its wait and defers the cancel: all of them are held until Run returns.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		nap, cancel := context.WithCancel(ctx)
		defer cancel()
		at := time.Now()
		f(ctx)
		if sliding {
			at = time.Now()
		}
		select {
		case <-nap.Done():
		case <-time.After(time.Until(at.Add(b.Step()))):
		}
	}
}
