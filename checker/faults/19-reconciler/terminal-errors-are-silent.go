//go:build ignore

// Mistake: OnError reports what will be retried; a terminal error is the end of it.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil && !kit.IsTerminal(err) {
		c.options.OnError(request, err)
	}
}
