//go:build ignore

// Mistake: ctx is done, so it is over.
// Killed by: stop-lets-reconciles-finish
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	for range c.options.MaxConcurrentReconciles {
		workers.Go(func() {
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	return nil
}
