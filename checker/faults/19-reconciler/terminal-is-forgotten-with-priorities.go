//go:build ignore

// Mistake: In a queue with priorities a terminal error is forgotten.
// Killed by: terminal-error-is-final
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	_, knows := c.options.Queue.(kit.PriorityQueue[kit.Request])
	switch {
	case !kit.IsTerminal(err):
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	case knows:
		c.queue.Forget(request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
