//go:build ignore

// Mistake: The timer calls a function, and nobody stops it when ctx ends the wait: it is held until it fires.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	for ctx.Err() == nil {
		began := time.Now()
		f(ctx)
		if sliding {
			began = time.Now()
		}
		over := make(chan struct{})
		time.AfterFunc(time.Until(began.Add(b.Step())), func() { close(over) })
		select {
		case <-ctx.Done():
		case <-over:
		}
	}
}
