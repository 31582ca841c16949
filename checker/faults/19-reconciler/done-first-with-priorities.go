//go:build ignore

// Mistake: A queue with priorities is newer, and its branch was written later: Done stands at the top of it.
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
	if _, level := c.queue.(levelQueue); level {
		defer c.queue.Done(request)
	} else {
		c.queue.Done(request)
	}
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
