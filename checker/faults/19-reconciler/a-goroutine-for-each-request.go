//go:build ignore

// Mistake: Goroutines are cheap, so nobody has to wait. What they call is not cheap.
// Killed by: as-many-at-once-as-allowed
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
	go c.handle(ctx, request, priority)
	return true
}

func (c *Controller) handle(ctx context.Context, request kit.Request, priority int) {
	defer c.queue.Done(request)
	result, err := c.Reconcile(ctx, request)
	if err != nil {
		c.failed(request, priority, err)
	} else {
		c.settle(request, priority, result)
	}
}
