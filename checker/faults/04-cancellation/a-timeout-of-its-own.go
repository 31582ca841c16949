//go:build ignore

// Mistake: Each call of f gets a timeout that nobody asked for: a long list is cut off in the middle.
// Killed by: call-under-way-is-waited-for
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = time.After(b.Step())
		}
		own, end := context.WithTimeout(ctx, time.Hour)
		f(own)
		end()
		if sliding {
			next = time.After(b.Step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
