//go:build ignore

// Mistake: A WaitForSync that returns nil has synced. It returns soon when ctx is done, so ctx needs no look here.
// Killed by: a-failed-start-ends-its-sources
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
)

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, cancel := context.WithTimeout(ctx, c.options.CacheSyncTimeout)
	defer cancel()
	err := each(syncing, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	err = each(context.WithoutCancel(ctx), sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
