//go:build ignore

// Mistake: f runs in a goroutine so that a cancellation can end the loop at once; f goes on after the loop
//   has returned.
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
		done := make(chan struct{})
		go func() { f(ctx); close(done) }()
		select {
		case <-ctx.Done():
			return
		case <-done:
		}
		if sliding {
			next = time.After(b.Step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}
