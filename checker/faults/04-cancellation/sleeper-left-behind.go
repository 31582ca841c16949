//go:build ignore

// Mistake: A goroutine sleeps through the step and then wakes the loop. The loop stops at once; the sleeper sleeps on.
// Killed by: cancel-ends-the-wait
// Verdict: goroutine-leak

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	for ctx.Err() == nil {
		if !sliding {
			next = slept(b.Step())
		}
		f(ctx)
		if sliding {
			next = slept(b.Step())
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
	}
}

func slept(d time.Duration) <-chan time.Time {
	over := make(chan time.Time)
	go func() {
		time.Sleep(d)
		close(over)
	}()
	return over
}
