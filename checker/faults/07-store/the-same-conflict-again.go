//go:build ignore

// Mistake: RetryOnConflict gives up when f returns the very error that it returned before: nothing seems to move.
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
	var before error
	for {
		err := f()
		if !kit.IsConflict(err) || err == before {
			return err
		}
		before = err
		wait := backoff.Step()
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
