//go:build ignore

// Mistake: What has failed five times has waited long enough, and comes level with the news.
// Killed by: errors-are-rate-limited
// Verdict: wrong-answer

package reconciler

import "github.com/controllerbook/controllerbook/labs/kit"

func (c *Controller) failed(request kit.Request, priority int, err error) {
	if c.queue.NumRequeues(request) >= 5 {
		priority = 0
	}
	if !kit.IsTerminal(err) {
		c.queue.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: &priority}, request)
	}
	if c.options.OnError != nil {
		c.options.OnError(request, err)
	}
}
