//go:build ignore

// Mistake: All have started, so they sync side by side, and it is enough to wait for one after the other.
// Killed by: source-error-ends-start
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
	for _, s := range sources {
		err = each(syncing, []Source{s}, func(s Source) error { return s.WaitForSync(syncing) })
		if err != nil {
			return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
		}
	}
	return nil
}
