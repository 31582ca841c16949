//go:build ignore

// Mistake: Add and Done of a WaitGroup belong together, so both stand in the worker.
// Killed by: stop-lets-reconciles-finish
// Verdict: data-race

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		go func() {
			workers.Add(1)
			defer workers.Done()
			for c.next(ctx) {
			}
		}()
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return nil
}
