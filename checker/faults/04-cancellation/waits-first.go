//go:build ignore

// Mistake: The wait stands at the head of the loop, as in wait.Poll: the first list comes a period too late.
// Killed by: until-waits-after-each-call
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	time.Sleep(b.Duration)
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
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
