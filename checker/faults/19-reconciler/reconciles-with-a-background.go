//go:build ignore

// Mistake: A reconcile should not be cut off, so it gets a ctx that nobody cancels; and it waits for a cloud
//   when it should stop.
// Killed by: stop-lets-reconciles-finish
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(context.WithoutCancel(ctx), request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
