//go:build ignore

// Mistake: Both are set: the simpler of the two is looked at first.
// Killed by: requeue-counts-as-failure
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter > 0 && !result.Requeue:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}
