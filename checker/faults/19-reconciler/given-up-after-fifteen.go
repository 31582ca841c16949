//go:build ignore

// Mistake: A request that has failed fifteen times is given up, as the Deployment controller of Kubernetes does.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if c.queue.NumRequeues(request) >= 15 {
		c.queue.Forget(request)
	} else if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
