//go:build ignore

// Mistake: While the sources sync, the ctx at hand is the one with the timeout, and a source that comes then gets it.
// Killed by: watch-while-starting
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
)

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, cancel := context.WithTimeout(ctx, c.options.CacheSyncTimeout)
	defer cancel()
	c.during(syncing)
	defer c.during(ctx)
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

func (c *Controller) during(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
}
