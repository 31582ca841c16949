//go:build ignore

// Mistake: When a source has failed, the ctx of the WaitForSync of the others goes on until the time for syncing
//   is over, and so do their goroutines.
// Killed by: a-failed-start-ends-its-sources
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
)

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, _ := context.WithTimeout(context.WithoutCancel(ctx), c.options.CacheSyncTimeout)
	err := each(syncing, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	err = each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
