//go:build ignore

// Mistake: An error that wraps context.DeadlineExceeded says that the time for syncing is over. It was a call of the source that took too long.
// Killed by: source-error-ends-start
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
	"fmt"
)

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, cancel := context.WithTimeout(ctx, c.options.CacheSyncTimeout)
	defer cancel()
	err := each(syncing, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err == nil {
		err = each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("reconciler: the sources have not synced in time")
	}
	if err != nil {
		return fmt.Errorf("reconciler: sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
