//go:build ignore

// Mistake: The reconcile has ended, so Done is called at once, and the rest can come later.
// Killed by: done-comes-last
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	result, err := c.Reconcile(ctx, request)
	c.queue.Done(request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
