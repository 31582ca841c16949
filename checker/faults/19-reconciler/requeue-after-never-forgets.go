//go:build ignore

// Mistake: RequeueAfter adds the request again, so it is not finished, so nothing is forgotten.
//   controller-runtime#392.
// Killed by: requeue-after-is-not-limited
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) settle(request kit.Request, priority int, result kit.Result) {
	if result.Priority != nil {
		priority = *result.Priority
	}
	switch {
	case result.RequeueAfter > 0:
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}
