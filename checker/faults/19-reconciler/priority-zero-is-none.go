//go:build ignore

// Mistake: A priority of 0 says nothing, so the request keeps the one it had.
// Killed by: priority-is-kept
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil && *result.Priority != 0 {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter > 0:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}
