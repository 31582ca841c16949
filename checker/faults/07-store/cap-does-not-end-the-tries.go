//go:build ignore

// Mistake: The loop counts the tries itself and so never learns that the backoff has reached its Cap, which
//   ends them.
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
	for tries := backoff.Steps; ; {
		err := f()
		if !kit.IsConflict(err) {
			return err
		}
		wait := backoff.Step()
		if tries--; tries <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
