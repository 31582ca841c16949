//go:build ignore

// Mistake: A request that a worker has taken out of a queue with priorities when ctx is done is dropped without a Done.
// Killed by: done-comes-last
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
	_, knows := c.options.Queue.(kit.PriorityQueue[kit.Request])
	if ctx.Err() != nil && knows {
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
