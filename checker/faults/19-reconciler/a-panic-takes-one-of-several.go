//go:build ignore

// Mistake: A panic may leave anything behind, so its worker ends, and there are others.
// Killed by: panic-becomes-an-error
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"
	"strings"
)

func (c *Controller) next(ctx context.Context) bool {
	request, priority, shutdown := c.queue.GetWithPriority()
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
	return c.options.MaxConcurrentReconciles == 1 || err == nil || !strings.HasPrefix(fmt.Sprint(err), "panic: ")
}
