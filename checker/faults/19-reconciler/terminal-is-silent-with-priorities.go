//go:build ignore

// Mistake: In a queue with priorities OnError is called for errors that are tried again, and for no others.
// Killed by: errors-are-told
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	_, knows := c.options.Queue.(kit.PriorityQueue[kit.Request])
	terminal := kit.IsTerminal(err)
	if !terminal {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil && (!terminal || !knows) {
		c.options.OnError(request, err)
	}
}
