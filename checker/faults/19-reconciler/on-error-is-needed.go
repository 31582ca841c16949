//go:build ignore

// Mistake: Everybody sets OnError.
// Killed by: errors-are-told
// Verdict: panic

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	c.options.OnError(request, err)
}
