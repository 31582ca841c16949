//go:build ignore

// Mistake: RetryOnConflict returns context.Cause, which is whatever the caller's caller chose, in the place
//   of ctx.Err().
// Killed by: retry-heeds-its-context
// Verdict: wrong-answer

package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func RetryOnConflict(ctx context.Context, backoff kit.Backoff, f func() error) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	for {
		err := f()
		if !kit.IsConflict(err) {
			return err
		}
		wait := backoff.Step()
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
