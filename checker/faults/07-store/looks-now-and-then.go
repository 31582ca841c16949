//go:build ignore

// Mistake: The wait sleeps for twenty milliseconds at a time and looks at the context in between, so it ends late.
// Killed by: retry-heeds-its-context
// Verdict: wrong-answer

package store

import (
	"context"
	"time"
)

func sleep(ctx context.Context, d time.Duration) bool {
	for end := time.Now().Add(d); ctx.Err() == nil; {
		left := time.Until(end)
		if left <= 0 {
			return true
		}
		time.Sleep(min(left, 20*time.Millisecond))
	}
	return false
}
