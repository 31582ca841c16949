//go:build ignore

// Mistake: The context is asked before the result of f: a write that succeeded is reported as the conflict before it.
// Killed by: retry-heeds-its-context
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
	var last error
	for {
		err := f()
		if ctx.Err() != nil && last != nil {
			return last
		}
		if !kit.IsConflict(err) {
			return err
		}
		last = err
		wait := backoff.Step()
		if backoff.Steps <= 0 || !sleep(ctx, wait) {
			return err
		}
	}
}
