//go:build ignore

// Mistake: A wait that the deadline of ctx would cut short is not begun: RetryOnConflict gives up at once.
// Killed by: retry-heeds-its-context
// Verdict: wrong-answer

package store

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func RetryOnConflict(ctx context.Context, backoff kit.Backoff, f func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for {
		err := f()
		if !kit.IsConflict(err) {
			return err
		}
		wait := backoff.Step()
		if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
			return err
		}
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
