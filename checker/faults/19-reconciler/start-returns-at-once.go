//go:build ignore

// Mistake: Start starts, as its name says, and the caller can wait for ctx.
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
	go func() {
		<-ctx.Done()
		c.queue.ShutDown()
	}()
	return nil
}
