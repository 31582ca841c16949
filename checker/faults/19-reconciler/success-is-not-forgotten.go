//go:build ignore

// Mistake: The request left the queue, so there is nothing to forget; and after a month of a failure here and
//   there each retry takes a quarter of an hour.
// Killed by: success-forgets
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter > 0:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
}
