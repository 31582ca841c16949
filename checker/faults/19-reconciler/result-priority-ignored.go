//go:build ignore

// Mistake: The priority is a matter between handlers and queue, and a Result has no say in it.
// Killed by: priority-is-kept
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority += 0
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
