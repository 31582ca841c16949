//go:build ignore

// Mistake: The period is counted from the call of f: a slow f leaves no pause at all.
// Killed by: until-waits-after-each-call
// Verdict: wrong-answer

package cancellation

import (
	"context"
	"time"
)

func Until(ctx context.Context, period time.Duration, f func(ctx context.Context)) {
	Backoff{Duration: period}.Run(ctx, false, f)
}
