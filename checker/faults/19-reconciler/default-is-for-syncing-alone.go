//go:build ignore

// Mistake: The default of CacheSyncTimeout is put in where the syncing begins, so a Start that takes long has no limit.
// Killed by: blocked-source
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
)

func New(options Options) *Controller {
	options.MaxConcurrentReconciles = max(options.MaxConcurrentReconciles, 1)
	return &Controller{options: options, queue: withPriorities(options.Queue)}
}

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	starting, limit := ctx, c.options.CacheSyncTimeout
	if limit > 0 {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		starting = limited
	} else {
		limit = defaultSyncTimeout
	}
	err := each(starting, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", limit, err)
	}
	syncing, cancel := context.WithTimeout(starting, limit)
	defer cancel()
	err = each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", limit, err)
	}
	return nil
}
