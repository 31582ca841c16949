//go:build ignore

// Mistake: A request that failed is not done. So the queue keeps it back for ever.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
		c.queue.Done(request)
	}
	return true
}
