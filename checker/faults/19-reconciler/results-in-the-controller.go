//go:build ignore

// Mistake: The last result is kept for the metrics, in a field that all workers write.
// Killed by: storm
// Verdict: data-race

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu      sync.Mutex
	last    kit.Result
	sources []Source
	ctx     context.Context
}

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	c.last = result
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
