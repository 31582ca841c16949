//go:build ignore

// Mistake: Once ctx is done nobody wants to hear of errors; what the last reconciles left undone is told to nobody.
// Killed by: errors-are-told
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
	switch {
	case err != nil && ctx.Err() != nil:
	case err != nil:
		c.failed(request, priority, err)
	default:
		c.settle(request, priority, result)
	}
	return true
}
