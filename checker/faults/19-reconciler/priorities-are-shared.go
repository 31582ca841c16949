//go:build ignore

// Mistake: The priority of a request is kept in the controller, under a lock. Its worker reads it after the reconcile, when another may have written its own.
// Killed by: priority-is-kept
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

type Controller struct {
	options Options
	queue   kit.PriorityQueue[kit.Request]

	mu       sync.Mutex
	priority int
	sources  []Source
	ctx      context.Context
}

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
	if shutdown {
		return false
	}
	defer c.queue.Done(request)
	c.mu.Lock()
	c.priority = priority
	c.mu.Unlock()
	result, err := c.Reconcile(ctx, request)
	c.mu.Lock()
	priority = c.priority
	c.mu.Unlock()
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
	return true
}
