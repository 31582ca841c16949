//go:build ignore

// Mistake: time.Sleep between the tries: SIGTERM has to wait for it (kubernetes#116435).
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
	<-timer.C
	return ctx.Err() == nil
}
