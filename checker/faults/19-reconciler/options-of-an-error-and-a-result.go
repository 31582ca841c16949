//go:build ignore

// Mistake: The options of the add are filled from the Result before anybody looks at the error:
//   with RateLimited and After a queue with priorities takes the shorter of the two.
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
	opts := kit.AddOpts{After: max(result.RequeueAfter, 0), Priority: &priority}
	switch {
	case err == nil:
		c.settle(request, priority, result)
	case kit.IsTerminal(err):
		c.failed(request, priority, err)
	default:
		opts.RateLimited = true
		c.queue.AddWithOpts(opts, request)
		if c.options.OnError != nil {
			c.options.OnError(request, err)
		}
	}
	return true
}
