//go:build ignore

// Mistake: Start collects the errors of the reconciles that ctx has ended, and returns the last of them.
// Killed by: stop-lets-reconciles-finish
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"
)

func (c *Controller) work(ctx context.Context) error {
	var workers sync.WaitGroup
	var mu sync.Mutex
	var last error
	for range c.options.MaxConcurrentReconciles {
		workers.Go(func() {
			for {
				request, priority, shutdown := c.queue.GetWithPriority()
				if shutdown {
					return
				}
				result, err := c.Reconcile(ctx, request)
				if err != nil {
					c.failed(request, priority, err)
				} else {
					c.settle(request, priority, result)
				}
				c.queue.Done(request)
				if err != nil && ctx.Err() != nil {
					mu.Lock()
					last = err
					mu.Unlock()
				}
			}
		})
	}
	<-ctx.Done()
	c.queue.ShutDown()
	workers.Wait()
	return last
}
