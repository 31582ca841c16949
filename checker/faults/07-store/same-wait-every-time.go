//go:build ignore

// Mistake: The first wait is used for all: the backoff does not back off.
// Killed by: retry-follows-its-backoff
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
		wait := min(backoff.Step(), 10*time.Millisecond)
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
