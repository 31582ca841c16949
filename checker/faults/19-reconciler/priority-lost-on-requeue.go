//go:build ignore

// Mistake: What is added again is added as everything else is. controller-runtime#3157.
// Killed by: priority-is-kept
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) next(ctx context.Context) bool {
	request, shutdown := c.queue.Get()
	priority := 0
	if shutdown {
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
