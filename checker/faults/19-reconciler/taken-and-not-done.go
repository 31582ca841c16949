//go:build ignore

// Mistake: A worker that sees the end leaves at once, with the request it has just taken out.
// Killed by: done-comes-last
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	if ctx.Err() != nil {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
