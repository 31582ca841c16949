//go:build ignore

// Mistake: It does no harm to be sure. With controller-runtime's priority queue it is a panic.
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
			for c.next(ctx) {
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	c.queue.ShutDown()
	return nil
}
