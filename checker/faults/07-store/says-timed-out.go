//go:build ignore

// Mistake: When the tries are used up an error about that is returned: the caller can no longer see that it
//   was a conflict.
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
		if backoff.Steps <= 0 {
			return context.DeadlineExceeded
		}
		if !sleep(ctx, wait) {
			return err
		}
	}
}
