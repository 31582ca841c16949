//go:build ignore

// Mistake: A conflict means that the cache lags behind, which the next try will not: it is added again at once, without the rate limiter, in a hot loop.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: !kit.IsConflict(err), Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
