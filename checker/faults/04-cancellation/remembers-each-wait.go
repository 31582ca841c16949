//go:build ignore

// Mistake: Each wait is kept in a list that nobody reads before the loop has ended.
// Killed by: cancel-ends-the-wait
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"slices"
	"time"
)

func (b Backoff) Run(ctx context.Context, sliding bool, f func(ctx context.Context)) {
	var next <-chan time.Time
	var waits []time.Duration
	defer func() { slices.Sort(waits) }()
	for ctx.Err() == nil {
		wait := b.Step()
		if !sliding {
			next = time.After(wait)
		}
		f(ctx)
		if sliding {
			next = time.After(wait)
		}
		select {
		case <-ctx.Done():
		case <-next:
		}
		waits = append(waits, wait)
	}
}
