//go:build ignore

// Mistake: A request that is not tried again is as good as one that succeeded.
// Killed by: terminal-error-is-final
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	} else {
		c.queue.Forget(request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
