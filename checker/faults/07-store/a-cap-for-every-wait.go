//go:build ignore

// Mistake: RetryOnConflict cuts each wait to the Cap, which bounds only what the growth makes of it.
// Killed by: retry-follows-its-backoff
// Verdict: wrong-answer

package store

import (
	"context"

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
		if backoff.Cap > 0 {
			wait = min(wait, backoff.Cap)
		}
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
