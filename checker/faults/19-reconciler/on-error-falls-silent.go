//go:build ignore

// Mistake: What has failed twenty times is known by now, and OnError hears of it no longer.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil && c.queue.NumRequeues(request) <= 20 {
		c.options.OnError(request, err)
	}
}
