//go:build ignore

// Mistake: What failed is simply added again.
// Killed by: success-forgets
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
