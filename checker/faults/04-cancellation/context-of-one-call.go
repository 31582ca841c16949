//go:build ignore

// Mistake: Each call of f gets a context of its own, which ends when f returns, and with it what f has started.
// Killed by: call-under-way-is-waited-for
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func Until(ctx context.Context, period time.Duration, f func(ctx context.Context)) {
	Backoff{Duration: period}.Run(ctx, true, func(ctx context.Context) {
		own, cancel := context.WithCancel(ctx)
		defer cancel()
		f(own)
	})
}
