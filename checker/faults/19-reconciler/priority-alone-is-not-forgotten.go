//go:build ignore

// Mistake: Only an empty Result is a success: one with a Priority and nothing else is not forgotten.
// Killed by: priority-is-kept
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
	case result.Priority == nil:
		c.queue.Forget(request)
	}
}
