//go:build ignore

// Mistake: RequeueAfter is looked at in whole seconds: what is to come sooner never comes.
// Killed by: requeue-after-is-not-limited
// Verdict: wrong-answer

package reconciler

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter/time.Second > 0:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}
