//go:build ignore

// Mistake: Each call that took longer than its step is kept in a list that nobody reads before the loop has ended.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"slices"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var late []time.Duration
	defer func() { slices.Sort(late) }()
	for ctx.Err() == nil {
		began := time.Now()
		f(ctx)
		if sliding {
			began = time.Now()
		}
		wait := time.Until(began.Add(b.Step()))
		if wait < 0 {
			late = append(late, -wait)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}
