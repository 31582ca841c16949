//go:build ignore

// Mistake: Done says that the request was taken. So it is said at once, and a second worker may take it.
// Killed by: never-one-key-twice-at-once
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
