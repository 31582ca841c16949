//go:build ignore

// Mistake: To look at other things meanwhile, Start gives WaitForSync ten seconds at a time, and calls it again.
// Killed by: sync-timeout
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
	"time"
)

func (c *Controller) sync(ctx context.Context, sources []Source) error {
	syncing, cancel := context.WithTimeout(ctx, c.options.CacheSyncTimeout)
	defer cancel()
	err := each(syncing, sources, func(s Source) error { return s.Start(ctx, c.queue) })
	if err != nil {
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	err = each(syncing, sources, func(s Source) error {
		for {
			piece, stop := context.WithTimeout(syncing, 10*time.Second)
			err := s.WaitForSync(piece)
			over := piece.Err() != nil
			stop()
			if !over || syncing.Err() != nil {
				return err
			}
		}
	})
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
