//go:build ignore

// Mistake: The sources are started one after the other, and after the first that fails nothing is worth starting.
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
	started := make(chan error, 1)
	go func() {
		for _, s := range sources {
			if err := s.Start(ctx, c.queue); err != nil {
				started <- err
				return
			}
		}
		started <- nil
	}()
	select {
	case err := <-started:
		if err != nil {
			return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
		}
	case <-syncing.Done():
		return fmt.Errorf("reconciler: starting sources, for at most %v: %w", c.options.CacheSyncTimeout, syncing.Err())
	}
	err := each(syncing, sources, func(s Source) error { return s.WaitForSync(syncing) })
	if err != nil {
		return fmt.Errorf("reconciler: syncing sources, for at most %v: %w", c.options.CacheSyncTimeout, err)
	}
	return nil
}
