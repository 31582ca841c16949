//go:build ignore

// Mistake: f runs in a goroutine, and has half a minute to return when ctx has ended; then the loop returns without it.
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
		returned := make(chan struct{})
		go func() {
			defer close(returned)
			f(ctx)
		}()
		select {
		case <-returned:
		case <-ctx.Done():
			select {
			case <-returned:
			case <-time.After(30 * time.Second):
				return
			}
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
