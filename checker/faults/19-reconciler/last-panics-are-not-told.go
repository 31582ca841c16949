//go:build ignore

// Mistake: A panic after ctx is done is one of a process that ends; OnError does not hear of it.
// Killed by: errors-are-told
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
	switch {
	case err != nil && ctx.Err() != nil && strings.HasPrefix(fmt.Sprint(err), "panic: "):
	case err != nil:
		c.failed(request, priority, err)
	default:
		c.settle(request, priority, result)
	}
	return true
}
