//go:build ignore

// Mistake: Forget belongs to Done, so both are deferred together; and every failure is the first.
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
	defer c.queue.Forget(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
