//go:build ignore

// Mistake: Every error is tried again: NotFound and Forbidden keep a worker busy to no end.
// Killed by: retry-only-conflicts
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
		if err == nil {
			return err
		}
		wait := backoff.Step()
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
