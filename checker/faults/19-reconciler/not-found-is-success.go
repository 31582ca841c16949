//go:build ignore

// Mistake: NotFound means that the object of the request is gone, so that nothing is left to do: it may be another object, which the reconcile needs.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil && !kit.IsNotFound(err) {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
