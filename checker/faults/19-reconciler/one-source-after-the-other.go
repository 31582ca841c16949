//go:build ignore

// Mistake: Each source is started and waited for in turn. The first may wait for the second for ever.
// Killed by: sources-start-together
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
	var err error
	for _, s := range sources {
		err = errors.Join(err, s.Start(ctx, c.queue), s.WaitForSync(syncing))
	}
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	err = each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
