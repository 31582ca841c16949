//go:build ignore

// Mistake: The workers look at ctx in each round. But they wait in Get, and Get does not know any ctx.
// Killed by: stop-when-idle
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
			for ctx.Err() == nil && c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	workers.Wait()
	return nil
}
