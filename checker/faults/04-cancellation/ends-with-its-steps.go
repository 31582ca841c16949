//go:build ignore

// Mistake: Run takes Steps for the number of tries, as retry.OnError does: when they are used up it returns.
// Killed by: run-waits-by-step
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	endless := b.Factor == 0
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
		}
		f(ctx)
		if sliding {
			next = time.After(b.Step())
		}
		if b.Steps == 0 && b.Cap == 0 && !endless {
			return
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
