//go:build ignore

// Mistake: ctx is looked at in the select only; when the wait is over as well, select may choose to go on.
// Killed by: never-after-done
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for {
		if !sliding {
			next = time.After(b.Step())
		}
		f(ctx)
		if sliding {
			next = time.After(b.Step())
		}
		select {
		case <-ctx.Done():
			return
		case <-next:
		}
	}
}
