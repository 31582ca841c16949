//go:build ignore

// Mistake: The loop sleeps after every try, and finds out only then that there is none left.
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
		if !sleep(ctx, wait) || backoff.Steps <= 0 {
			return err
		}
	}
}
