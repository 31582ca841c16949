//go:build ignore

// Mistake: A goroutine sleeps for as long as RequeueAfter says, to note when it is over. It outlives Start.
// Killed by: stop-lets-reconciles-finish
// Verdict: goroutine-leak

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
	case result.RequeueAfter > 0:
		c.queue.Forget(request)
		c.queue.AddWithOpts(kit.AddOpts{After: result.RequeueAfter, Priority: &priority}, request)
		go func() {
			time.Sleep(result.RequeueAfter)
			_ = c.queue.Len()
		}()
	case result.Requeue:
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	default:
		c.queue.Forget(request)
	}
}
