//go:build ignore

// Mistake: The zero Backoff is taken for an option that was not set, and replaced by DefaultRetry.
// Killed by: retry-tries-at-least-once
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
	if backoff == (kit.Backoff{}) {
		backoff = DefaultRetry
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
