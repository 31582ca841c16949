//go:build ignore

// Mistake: The select is trusted to prefer the cancelled context; with the timer ready too it picks at
//   random.
// Killed by: retry-heeds-its-context
// Verdict: wrong-answer

package store

import (
	"context"
	"time"
)

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
