//go:build ignore

// Mistake: The Reconciler says when it wants to be called again, so that goes before the error.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil && result.RequeueAfter == 0 {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
